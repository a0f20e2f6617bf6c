//! The commands.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use fingertip_core::visible;
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::handler::Handler;
use fingertip_mcp::targets::Targets;
use fingertip_mcp::transport::{self, HttpConfig, TlsIdentity};
use tokio_util::sync::CancellationToken;

use crate::cli::{Cli, Command, Common, Serve};
use crate::config::{Config, environment};
use crate::home::Home;
use crate::platforms::demo;
use crate::{Attach, audit, banner, doctor, logs, open_files, self_test, token};

/// Time for what still blocks a thread when a command is over.
const END_TIMEOUT: Duration = Duration::from_millis(100);

/// Runs one command.
pub(crate) fn run(cli: Cli, attach: Attach) -> anyhow::Result<()> {
    environment::check(std::env::vars_os().map(|(name, _)| name))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start")?;
    let outcome = runtime.block_on(async {
        match cli.command {
            Command::Serve(options) => serve(&of_serve(&options)?, attach).await,
            Command::Stdio(common) => stdio(&of_common(&common)?, attach).await,
            Command::Token => Ok(logs::print(token::find(&Home::find()?)?.expose())?),
            Command::Devices(common) => devices(&of_common(&common)?, attach).await,
            Command::Doctor(options) if options.self_test => {
                let config = of_serve(&options.serve)?;
                self_test::run(&config.targets()?, config.driver()?).await
            }
            Command::Doctor(options) => {
                let config = of_serve(&options.serve)?;
                let targets = targets(&config, attach)?;
                doctor::run(config.listen()?, &config.targets()?, config.driver()?, &targets).await
            }
            Command::Config { show, options } => checked(&of_serve(&options)?, show),
            Command::Audit { lines, follow, common } => {
                audit::show(Path::new(&of_common(&common)?.settings.audit_file.value), lines, follow).await
            }
            Command::Sim { port } => tokio::select! {
                outcome = demo::serve(port) => outcome,
                () = signal() => Ok(()),
            },
        }
    });
    // A read of standard input that cannot be given up, or a file system that hangs, must not keep us.
    runtime.shutdown_timeout(END_TIMEOUT);
    outcome
}

fn of_common(common: &Common) -> anyhow::Result<Config> {
    Config::load(common.config.as_deref(), |settings| common.set(settings))
}

fn of_serve(options: &Serve) -> anyhow::Result<Config> {
    Config::load(options.common.config.as_deref(), |settings| options.set(settings))
}

async fn serve(config: &Config, attach: Attach) -> anyhow::Result<()> {
    // Whatever is wrong with the settings is said before anything is touched.
    let (listen, policy, timeouts) = (config.listen()?, config.policy()?, config.timeouts()?);
    let (view, secrets) = (config.view()?, config.secrets()?);
    let mut http = HttpConfig::new(listen, token::find(config.home())?);
    http.host_names = host_names(config);
    http.tls = identity(config, listen, &http.host_names)?;
    http.shutdown = on_signal();
    http.limits.connections = open_files::connections(open_files::raise_limit());
    let identity = http.tls.clone();

    let targets = targets(config, attach)?;
    let dispatcher = Dispatcher::new(Arc::clone(&targets), policy);
    let dispatcher = Arc::new(dispatcher.with_timeouts(timeouts).with_view(view).with_secrets(secrets));
    let v1 = config.settings.v1.value;
    if v1 {
        http.more_routes = transport::v1::routes(Arc::clone(&dispatcher), http.limits.clone());
    }
    let handler = Handler::new(dispatcher);
    let running = transport::serve(http, move || handler.clone()).await?;
    let address = running.local_addr();
    let finished = running.finished();
    tokio::pin!(finished);
    tokio::select! {
        () = targets.settled() => logs::say(&banner::text(address, identity.as_ref(), v1, &targets)),
        () = &mut finished => return Ok(()),
    }
    finished.await;
    Ok(())
}

async fn stdio(config: &Config, attach: Attach) -> anyhow::Result<()> {
    let (policy, timeouts) = (config.policy()?, config.timeouts()?);
    let (view, secrets) = (config.view()?, config.secrets()?);
    open_files::raise_limit();
    let targets = targets(config, attach)?;
    let dispatcher = Dispatcher::new(targets, policy);
    let dispatcher = Arc::new(dispatcher.with_timeouts(timeouts).with_view(view).with_secrets(secrets));
    Ok(transport::serve_stdio(Handler::new(dispatcher), on_signal()).await?)
}

/// Checks all settings, and shows them where that is asked for.
fn checked(config: &Config, show: bool) -> anyhow::Result<()> {
    config.listen()?;
    config.targets()?;
    config.policy()?;
    config.timeouts()?;
    config.view()?;
    config.secrets()?;
    config.driver()?;
    Ok(logs::print(if show { config.show() } else { "the configuration is fine".to_owned() }.trim_end())?)
}

async fn devices(config: &Config, attach: Attach) -> anyhow::Result<()> {
    let targets = targets(config, attach)?;
    targets.settled().await;
    let all = targets.all();
    if all.is_empty() {
        logs::say(&format!("No device is attached. {}", demo::NO_DEVICE));
    }
    for known in all {
        let info = known.info();
        let (name, state) = (visible::escape(&info.name), info.state.to_string());
        let (state, label) = (visible::escape(&state), visible::escape(&info.label));
        logs::print(&format!("{name}\t{state}\t{}\t{label}", info.driver))?;
    }
    Ok(())
}

fn targets(config: &Config, attach: Attach) -> anyhow::Result<Arc<Targets>> {
    let targets = Arc::new(Targets::new(demo::NO_DEVICE));
    attach(&config.targets()?, config.driver()?, &targets)?;
    Ok(targets)
}

/// The names by which clients may reach this machine.
fn host_names(config: &Config) -> Vec<String> {
    let mut names = config.settings.allow_hosts.value.clone();
    names.extend(gethostname::gethostname().into_string());
    names
}

fn identity(config: &Config, listen: SocketAddr, names: &[String]) -> anyhow::Result<Option<TlsIdentity>> {
    let settings = &config.settings;
    match (settings.tls.value, settings.tls_cert.value.as_str(), settings.tls_key.value.as_str()) {
        (false, "", "") => Ok(None),
        (true, "", "") => {
            let bound: Vec<IpAddr> =
                Some(listen.ip()).into_iter().filter(|ip| !ip.is_unspecified()).collect();
            let now = std::time::SystemTime::now();
            Ok(Some(TlsIdentity::load_or_create(&config.home().tls(), names, &bound, now)?))
        }
        (true, certificate, key) if !certificate.is_empty() && !key.is_empty() => {
            Ok(Some(TlsIdentity::from_files(Path::new(certificate), Path::new(key))?))
        }
        // Half of it would serve without encryption what was meant to be encrypted.
        _ => bail!("a certificate needs all three of --tls, --tls-cert and --tls-key"),
    }
}

/// Cancelled when the user or the system asks the program to end.
fn on_signal() -> CancellationToken {
    let token = CancellationToken::new();
    let asked = token.clone();
    tokio::spawn(async move {
        signal().await;
        asked.cancel();
    });
    token
}

/// Waits for the user or the system to ask the program to end: Ctrl-C, SIGTERM, or SIGHUP, which comes when its terminal
/// closes. Each lets calls under way be ended and written down.
#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let hangup = if ignores_hangup() { None } else { signal(SignalKind::hangup()).ok() };
    let terminate = signal(SignalKind::terminate()).ok();
    let one_of = async |signal: Option<tokio::signal::unix::Signal>| match signal {
        Some(mut signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = one_of(terminate) => {}
        () = one_of(hangup) => {}
    }
}

/// Whether whoever started the program wants it to outlive its terminal, as `nohup` does. A handler of our own would
/// undo that. Where it cannot be told, no handler is set.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    const HANGUP: u64 = 1;
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return true };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & HANGUP != 0)
}

#[cfg(not(unix))]
async fn signal() {
    drop(tokio::signal::ctrl_c().await);
}
