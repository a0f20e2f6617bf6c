//! The commands.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail};
use fingertip_core::visible;
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::handler::Handler;
use fingertip_mcp::page::{Access, LinkKey, Oversight, Page};
use fingertip_mcp::policy::Policy;
use fingertip_mcp::secrets::Secrets;
use fingertip_mcp::targets::Targets;
use fingertip_mcp::timeouts::Timeouts;
use fingertip_mcp::transport::{self, HttpConfig, TlsIdentity};
use fingertip_mcp::view::View;
use tokio_util::sync::CancellationToken;

use crate::call::answer::Exit;
use crate::cli::{Cli, Command, Common, Serve, ServeCommand};
use crate::config::{Config, environment};
use crate::home::Home;
use crate::mdns::Announcement;
use crate::page_link::PageLink;
use crate::platforms::demo;
use crate::progress::while_waiting;
use crate::running::{Publication, Running};
use crate::status::{Status, StatusFile};
use crate::{
    Attach, TargetSpec, audit, banner, call, doctor, init, logs, mdns, network, open_files, page_link, pages,
    phone, self_test, token,
};

/// Time for what still blocks a thread when a command is over.
const END_TIMEOUT: Duration = Duration::from_millis(100);

/// Runs one command.
pub(crate) fn run(cli: Cli, attach: Attach) -> anyhow::Result<Exit> {
    environment::check(std::env::vars_os().map(|(name, _)| name))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start")?;
    let outcome = runtime.block_on(async {
        let done = match cli.command {
            Command::Call(command) => return call::call(command, attach).await,
            Command::See(command) => return call::see(command, attach).await,
            Command::Tap(command) => return call::tap(command, attach).await,
            Command::Tools(command) => return call::tools(command, attach).await,
            Command::Init(command) => init::run(&command),
            Command::Completions { shell } => Ok(pages::completions(shell)?),
            Command::Man { folder } => pages::man(folder.as_deref()),
            Command::Serve(ServeCommand { options, status_file }) => {
                serve(&of_serve(&options)?, status_file.as_deref(), attach).await
            }
            Command::Stdio(common) => stdio(&of_common(&common)?, attach).await,
            Command::Ui { control, port } => {
                let access = if control { Access::Control } else { Access::View };
                Ok(logs::print(&page_link::find(&Home::find()?.pages(), port)?.make(access)?)?)
            }
            Command::Token => Ok(logs::print(token::find(&Home::find()?)?.expose())?),
            Command::Devices(common) => devices(&of_common(&common)?, attach).await,
            Command::Doctor(options) if options.self_test => {
                let config = of_serve(&options.serve)?;
                self_test::run(&config.targets()?, config.drive()?.phones).await
            }
            Command::Doctor(options) => {
                let config = of_serve(&options.serve)?;
                let targets = targets(&config, attach)?;
                doctor::run(config.listen()?, &config.targets()?, &config.drive()?, &targets).await
            }
            Command::Phone { command } => phone::run(command).await,
            Command::Config { show, options } => checked(&of_serve(&options)?, show),
            Command::Audit { lines, follow, common } => {
                audit::show(Path::new(&of_common(&common)?.settings.audit_file.value), lines, follow).await
            }
            Command::Sim { port } => tokio::select! {
                outcome = demo::serve(port) => outcome,
                () = signal() => Ok(()),
            },
        };
        done.map(|()| Exit::Done)
    });
    // A read of standard input that cannot be given up, or a file system that hangs, must not keep us.
    runtime.shutdown_timeout(END_TIMEOUT);
    outcome
}

/// The settings of a command that serves no clients.
pub(crate) fn of_common(common: &Common) -> anyhow::Result<Config> {
    Config::load(common.config.as_deref(), |settings| common.set(settings))
}

fn of_serve(options: &Serve) -> anyhow::Result<Config> {
    Config::load(options.common.config.as_deref(), |settings| options.set(settings))
}

async fn serve(config: &Config, status_file: Option<&Path>, attach: Attach) -> anyhow::Result<()> {
    // Whatever is wrong with the settings is said before anything is touched.
    let listen = config.listen()?;
    let build = Build::new(config)?;
    let mut http = HttpConfig::new(listen, token::find(config.home())?);
    let mdns = announces(config, listen)?;
    let names = host_names(config, mdns);
    let reached_at = network::addresses(listen.ip());
    http.host_names = names.clone();
    http.tls = identity(config, &reached_at, &names)?;
    http.shutdown = on_signal();
    http.limits.connections = open_files::connections(open_files::raise_limit());
    let identity = http.tls.clone();

    let targets = targets(config, attach)?;
    if config.targets()?.contains(&TargetSpec::App) {
        tokio::spawn(end_without_target(Arc::clone(&targets), http.shutdown.clone()));
    }
    let mut dispatcher = build.over(Arc::clone(&targets));
    let oversight = config.settings.ui.value.then(|| Oversight::new(config.settings.history.value));
    if let Some(oversight) = &oversight {
        dispatcher = dispatcher.with_oversight(Arc::clone(oversight));
    }
    let dispatcher = Arc::new(dispatcher);
    let mut page_key = None;
    if let Some(oversight) = oversight {
        let key = LinkKey::random().context("the system gives no random numbers")?;
        let (calls, limits) = (Arc::clone(&dispatcher), http.limits.clone());
        http.page = Some(Arc::new(Page::new(calls, oversight, key.clone(), limits, identity.is_some())));
        page_key = Some(key);
    }
    let v1 = config.settings.v1.value;
    if v1 {
        http.more_routes = transport::v1::routes(Arc::clone(&dispatcher), http.limits.clone());
    }
    let handler = Handler::new(dispatcher);
    let running = transport::serve(http, move || handler.clone()).await?;
    let address = running.local_addr();
    let page = page_key.map(|key| PageLink::new(address, identity.is_some(), key));
    let _page_file = page.as_ref().and_then(|page| {
        // Clients are served without it.
        let kept = page.keep(&config.home().pages());
        kept.inspect_err(|error| tracing::warn!("`fingertip ui` will not find this server: {error:#}")).ok()
    });
    let finished = running.finished();
    tokio::pin!(finished);
    tokio::select! {
        () = targets.settled() => {
            let page = page.map(|page| page.make(Access::View)).transpose()?;
            logs::say(&banner::text(address, &reached_at, identity.as_ref(), v1, page.as_deref(), &targets));
        }
        () = &mut finished => return Ok(()),
    }
    let _announcement = mdns.then(|| Announcement::start(address.port(), identity.is_some())).transpose()?;
    let status = |reached_at: &[IpAddr]| Status::new(address, reached_at, identity.as_ref());
    let running = || Running::new(address, identity.as_ref().map(TlsIdentity::fingerprint));
    let publication = publish(config, &running());
    let status_file = status_file.map(|path| StatusFile::create(path, &status(&reached_at))).transpose()?;
    let moved = |reached_at: &[IpAddr]| {
        renew(config, identity.as_ref(), reached_at, &names);
        let status = status(reached_at);
        tracing::warn!(urls = status.urls.join(", "), "the server is reached at");
        if let Some(Err(error)) = status_file.as_ref().map(|file| file.write(&status)) {
            tracing::warn!(%error, "the status file is not up to date");
        }
        if let Some(Err(error)) = publication.as_ref().map(|publication| publication.write(&running())) {
            tracing::warn!(%error, "commands may not find the server");
        }
    };
    tokio::select! {
        () = network::follow(listen.ip(), reached_at.clone(), moved), if !listen.ip().is_loopback() => {}
        () = finished => {}
    }
    Ok(())
}

/// Lets commands of this user find the server, until it ends. A server goes on without.
fn publish(config: &Config, running: &Running) -> Option<Publication> {
    match Publication::start(config.home(), running) {
        Ok(Some(publication)) => Some(publication),
        Ok(None) => {
            tracing::info!("commands find the server of this folder that began earlier");
            None
        }
        Err(error) => {
            tracing::warn!(%error, "commands will not find the server");
            None
        }
    }
}

/// Ends the server of an app with that app, whose death must leave nothing behind.
async fn end_without_target(targets: Arc<Targets>, shutdown: CancellationToken) {
    let mut changes = targets.subscribe();
    targets.settled().await;
    while !targets.all().is_empty() && changes.changed().await.is_ok() {}
    tracing::warn!("the app is gone");
    shutdown.cancel();
}

/// Whether the server is to be announced.
fn announces(config: &Config, listen: SocketAddr) -> anyhow::Result<bool> {
    let mdns = config.settings.mdns.value;
    if mdns && listen.ip().is_loopback() {
        bail!(
            "--mdns announces the server to the network, which does not reach {listen}; listen on 0.0.0.0:PORT, with --tls"
        );
    }
    Ok(mdns)
}

/// Gives a certificate of our own the addresses that the server is reached at now. A server goes on without.
fn renew(config: &Config, identity: Option<&TlsIdentity>, reached_at: &[IpAddr], names: &[String]) {
    let given = !config.settings.tls_cert.value.is_empty();
    let Some(identity) = identity.filter(|_| !given) else { return };
    match identity.renew(&config.home().tls(), names, reached_at, SystemTime::now()) {
        Ok(true) => tracing::warn!(sha256 = identity.fingerprint(), "the certificate was renewed"),
        Ok(false) => {}
        Err(error) => tracing::error!(%error, "the certificate was not renewed"),
    }
}

async fn stdio(config: &Config, attach: Attach) -> anyhow::Result<()> {
    let dispatcher = dispatcher(config, attach)?;
    open_files::raise_limit();
    Ok(transport::serve_stdio(Handler::new(Arc::new(dispatcher)), on_signal()).await?)
}

/// What answers calls, over the targets that these settings name.
pub(crate) fn dispatcher(config: &Config, attach: Attach) -> anyhow::Result<Dispatcher> {
    if config.targets()?.contains(&TargetSpec::App) {
        bail!("the app needs standard input and output for itself; `--target app` goes with `serve`");
    }
    Ok(Build::new(config)?.over(targets(config, attach)?))
}

/// What a dispatcher is made of, read before anything is touched.
struct Build {
    policy: Policy,
    timeouts: Timeouts,
    view: View,
    secrets: Secrets,
}

impl Build {
    fn new(config: &Config) -> anyhow::Result<Self> {
        let (policy, timeouts) = (config.policy()?, config.timeouts()?);
        Ok(Self { policy, timeouts, view: config.view()?, secrets: config.secrets()? })
    }

    fn over(self, targets: Arc<Targets>) -> Dispatcher {
        let dispatcher = Dispatcher::new(targets, self.policy).with_timeouts(self.timeouts);
        dispatcher.with_view(self.view).with_secrets(self.secrets)
    }
}

/// Checks all settings, and shows them where that is asked for.
fn checked(config: &Config, show: bool) -> anyhow::Result<()> {
    config.listen()?;
    config.targets()?;
    config.policy()?;
    config.timeouts()?;
    config.view()?;
    config.secrets()?;
    config.drive()?;
    Ok(logs::print(if show { config.show() } else { "the configuration is fine".to_owned() }.trim_end())?)
}

async fn devices(config: &Config, attach: Attach) -> anyhow::Result<()> {
    let targets = targets(config, attach)?;
    while_waiting("looking for devices", targets.settled()).await;
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
    attach(&config.targets()?, &config.drive()?, &targets)?;
    Ok(targets)
}

/// The names by which clients may reach this machine.
fn host_names(config: &Config, mdns: bool) -> Vec<String> {
    let mut names = config.settings.allow_hosts.value.clone();
    names.extend(gethostname::gethostname().into_string());
    names.extend(mdns.then(mdns::host_name));
    names
}

fn identity(config: &Config, reached_at: &[IpAddr], names: &[String]) -> anyhow::Result<Option<TlsIdentity>> {
    let settings = &config.settings;
    match (settings.tls.value, settings.tls_cert.value.as_str(), settings.tls_key.value.as_str()) {
        (false, "", "") => Ok(None),
        (true, "", "") => {
            let now = SystemTime::now();
            Ok(Some(TlsIdentity::load_or_create(&config.home().tls(), names, reached_at, now)?))
        }
        (true, certificate, key) if !certificate.is_empty() && !key.is_empty() => {
            Ok(Some(TlsIdentity::from_files(Path::new(certificate), Path::new(key))?))
        }
        // Half of it would serve without encryption what was meant to be encrypted.
        _ => bail!("a certificate needs all three of --tls, --tls-cert and --tls-key"),
    }
}

/// Cancelled when the user or the system asks the program to end.
pub(crate) fn on_signal() -> CancellationToken {
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

/// Whether the program is to outlive its terminal, as `nohup` has it. A handler of our own would
/// undo that. Where it is not known, no handler is set.
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
