//! The commands.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context;
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::handler::Handler;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::targets::Targets;
use fingertip_mcp::transport::{self, HttpConfig, TlsIdentity};
use fingertip_sim::phone::Profile;
use fingertip_sim::{SimPhone, adbd};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::cli::{Cli, Command, Common, Serve};
use crate::home::Home;
use crate::{Attach, banner, doctor, logs, token};

/// What a caller is told while no device is attached.
const NO_DEVICE: &str = "Connect an Android phone with USB debugging switched on, or start fingertip with \
    `--target demo`; `fingertip doctor` says what is missing.";

/// Runs one command.
pub(crate) fn run(cli: Cli, attach: Attach) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        match cli.command {
            Command::Serve(options) => serve(options, attach).await,
            Command::Stdio(common) => stdio(&common, attach).await,
            Command::Token => Ok(logs::print(token::find(&Home::find()?)?.expose())?),
            Command::Devices(common) => devices(&common, attach).await,
            Command::Doctor(options) => {
                let targets = targets(&options.common, attach)?;
                doctor::run(&options, &targets).await
            }
            Command::Sim { port } => sim(port).await,
        }
    })
}

async fn serve(options: Serve, attach: Attach) -> anyhow::Result<()> {
    let home = Home::find()?;
    let targets = targets(&options.common, attach)?;
    let mut config = HttpConfig::new(options.listen, token::find(&home)?);
    config.host_names = host_names(&options);
    config.tls = identity(&options, &home, &config.host_names)?;
    config.shutdown = on_signal();
    let identity = config.tls.clone();

    let dispatcher = dispatcher(&targets, &options.common);
    if options.v1 {
        config.more_routes = transport::v1::routes(Arc::clone(&dispatcher), config.limits.clone());
    }
    let handler = Handler::new(dispatcher);
    let running = transport::serve(config, move || handler.clone()).await?;
    targets.settled().await;
    logs::say(&banner::text(running.local_addr(), identity.as_ref(), options.v1, &targets));
    running.finished().await;
    Ok(())
}

async fn stdio(common: &Common, attach: Attach) -> anyhow::Result<()> {
    let targets = targets(common, attach)?;
    Ok(transport::serve_stdio(Handler::new(dispatcher(&targets, common)), on_signal()).await?)
}

async fn devices(common: &Common, attach: Attach) -> anyhow::Result<()> {
    let targets = targets(common, attach)?;
    targets.settled().await;
    let all = targets.all();
    if all.is_empty() {
        logs::say(&format!("No device is attached. {NO_DEVICE}"));
    }
    for known in all {
        let info = known.target().info();
        logs::print(&format!("{}\t{}\t{}\t{}", info.name, info.state, info.driver, info.label))?;
    }
    Ok(())
}

/// Runs the demo phone alone, for other tools to try.
async fn sim(port: u16) -> anyhow::Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    let address = listener.local_addr()?;
    logs::say(&format!("demo phone listening on {address}; try: adb connect {address}"));
    let phone = SimPhone::start(Profile { serial: address.to_string(), ..Profile::default() });
    tokio::select! {
        () = adbd::serve(listener, phone) => {}
        () = signal() => {}
    }
    Ok(())
}

fn targets(common: &Common, attach: Attach) -> anyhow::Result<Arc<Targets>> {
    let targets = Arc::new(Targets::new(NO_DEVICE));
    attach(&common.targets, &targets)?;
    Ok(targets)
}

fn dispatcher(targets: &Arc<Targets>, common: &Common) -> Arc<Dispatcher> {
    let policy = Policy { read_only: common.read_only, ..Policy::default() };
    Arc::new(Dispatcher::new(Arc::clone(targets), policy))
}

/// The names by which clients may reach this machine.
fn host_names(options: &Serve) -> Vec<String> {
    let mut names = options.allowed_hosts.clone();
    names.extend(gethostname::gethostname().into_string());
    names
}

fn identity(options: &Serve, home: &Home, names: &[String]) -> anyhow::Result<Option<TlsIdentity>> {
    if let (Some(certificate), Some(key)) = (&options.tls_cert, &options.tls_key) {
        return Ok(Some(TlsIdentity::from_files(certificate, key)?));
    }
    if !options.tls {
        return Ok(None);
    }
    let bound: Vec<IpAddr> =
        Some(options.listen.ip()).into_iter().filter(|ip| !ip.is_unspecified()).collect();
    Ok(Some(TlsIdentity::load_or_create(&home.tls(), names, &bound, std::time::SystemTime::now().into())?))
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

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        },
        Err(_) => drop(tokio::signal::ctrl_c().await),
    }
}

#[cfg(not(unix))]
async fn signal() {
    drop(tokio::signal::ctrl_c().await);
}
