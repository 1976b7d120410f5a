//! Attacks through sockets. No packet leaves the machine.

use std::io::Write;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr as InternetAddr, TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};
use std::time::Duration;

use nix::sys::socket::{AddressFamily, SockFlag, SockProtocol, SockType, socket};

use super::{Range, Verdict, any, context, text};

/// Maximum time to connect.
const TIMEOUT: Duration = Duration::from_secs(1);

pub(super) fn outwards(_: &Range) -> Verdict {
    // These addresses are reserved for documentation. Connecting a datagram socket sends nothing, but needs a route.
    let targets = [("0.0.0.0:0", "192.0.2.1:9"), ("[::]:0", "[2001:db8::1]:9")];
    any(targets, |(from, to)| {
        let socket = UdpSocket::bind(from).map_err(context("socket"))?;
        socket.connect(to).map_err(context("route"))?;
        Ok(format!("there is a route to {to}"))
    })
}

fn addresses(range: &Range) -> [InternetAddr; 2] {
    [(Ipv4Addr::LOCALHOST, range.port).into(), (Ipv6Addr::LOCALHOST, range.port).into()]
}

pub(super) fn loopback(range: &Range) -> Verdict {
    any(addresses(range), |address| {
        let mut stream = TcpStream::connect_timeout(&address, TIMEOUT).map_err(text)?;
        stream.write_all(b"attack\n").map_err(text)?;
        Ok(format!("connected to {address}"))
    })
}

pub(super) fn loopback_datagram(range: &Range) -> Verdict {
    any(addresses(range), |address| {
        let here = if address.is_ipv4() { "127.0.0.1:0" } else { "[::1]:0" };
        let socket = UdpSocket::bind(here).map_err(context("socket"))?;
        socket.send_to(b"attack\n", address).map_err(text)?;
        Ok(format!("sent to {address}"))
    })
}

pub(super) fn abstract_socket(range: &Range) -> Verdict {
    let name = format!("plyhouse-range-{}", range.port);
    let address = SocketAddr::from_abstract_name(name.as_bytes()).map_err(text)?;
    let datagram = SocketAddr::from_abstract_name(format!("{name}-datagram").as_bytes()).map_err(text)?;
    let stream = UnixStream::connect_addr(&address).map_err(text).map(|_| "connected".to_owned());
    let socket = UnixDatagram::unbound().and_then(|socket| socket.send_to_addr(b"attack\n", &datagram));
    any([stream, socket.map_err(text).map(|_| "sent".to_owned())], |verdict| verdict)
}

pub(super) fn path_socket(range: &Range) -> Verdict {
    let system = ["/run/dbus/system_bus_socket", "/run/docker.sock", "/run/systemd/private", "/run/nscd/socket"];
    let mut paths = vec![range.folder.join("socket")];
    paths.extend(system.map(Into::into));
    any(paths, |path| {
        UnixStream::connect(&path).map_err(text)?;
        Ok(format!("connected to {}", path.display()))
    })
}

pub(super) fn odd_sockets(_: &Range) -> Verdict {
    let kinds = [
        (AddressFamily::Packet, SockType::Raw, None, "packets"),
        (AddressFamily::Inet, SockType::Raw, Some(SockProtocol::Icmp), "raw"),
        (AddressFamily::Inet, SockType::Datagram, Some(SockProtocol::Icmp), "ping"),
        (AddressFamily::Netlink, SockType::Raw, Some(SockProtocol::NetlinkRoute), "netlink"),
        (AddressFamily::Vsock, SockType::Stream, None, "virtual machines"),
        (AddressFamily::Alg, SockType::SeqPacket, None, "ciphers"),
    ];
    any(kinds, |(family, kind, protocol, name)| {
        socket(family, kind, SockFlag::SOCK_CLOEXEC, protocol).map_err(context(name))?;
        Ok(name.to_owned())
    })
}

pub(super) fn listen(range: &Range) -> Verdict {
    let name = format!("plyhouse-attacker-{}-{}", range.port, std::process::id());
    let address = SocketAddr::from_abstract_name(name.as_bytes()).map_err(text)?;
    let all = [
        TcpListener::bind("127.0.0.1:0").map_err(context("TCP")).map(|_| "TCP".to_owned()),
        UdpSocket::bind("127.0.0.1:0").map_err(context("UDP")).map(|_| "UDP".to_owned()),
        UnixListener::bind_addr(&address).map_err(context("Unix")).map(|_| "Unix".to_owned()),
    ];
    any(all, |verdict| verdict)
}
