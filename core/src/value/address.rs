//! Public and special-purpose IP addresses.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 ranges that are not public: first address, prefix length, name (IANA special-purpose registry, RFC 6890).
const V4: &[([u8; 4], u32, &str)] = &[
    ([0, 0, 0, 0], 8, "this network"),
    ([10, 0, 0, 0], 8, "private"),
    ([100, 64, 0, 0], 10, "shared by carriers"),
    ([127, 0, 0, 0], 8, "loopback"),
    ([169, 254, 0, 0], 16, "link-local"),
    ([172, 16, 0, 0], 12, "private"),
    ([192, 0, 0, 0], 24, "reserved for protocols"),
    ([192, 0, 2, 0], 24, "for documentation"),
    ([192, 88, 99, 0], 24, "a 6to4 relay"),
    ([192, 168, 0, 0], 16, "private"),
    ([198, 18, 0, 0], 15, "for benchmarks"),
    ([198, 51, 100, 0], 24, "for documentation"),
    ([203, 0, 113, 0], 24, "for documentation"),
    ([224, 0, 0, 0], 4, "multicast"),
    ([240, 0, 0, 0], 4, "reserved"),
];

/// IPv6 ranges that are not public. Everything outside 2000::/3 is not public; the first rows only name it.
const V6: &[([u16; 8], u32, &str)] = &[
    ([0, 0, 0, 0, 0, 0, 0, 0], 128, "unspecified"),
    ([0, 0, 0, 0, 0, 0, 0, 1], 128, "loopback"),
    // An embedded IPv4 address: host names have no reason to use it, and filters often overlook it.
    ([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, "an IPv4 address written as IPv6"),
    ([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, "NAT64"),
    ([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, "NAT64"),
    ([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, "private"),
    ([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, "link-local"),
    ([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, "multicast"),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, "reserved for protocols"),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, "for documentation"),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, "6to4"),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "for documentation"),
];

/// The name of the special-purpose range of an address; `None` if the address is public.
///
/// ```
/// use resourcesync::value::not_public;
/// assert_eq!(not_public("169.254.169.254".parse()?), Some("link-local"));
/// assert_eq!(not_public("2606:4700::1".parse()?), None);
/// # Ok::<(), core::net::AddrParseError>(())
/// ```
pub fn not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => v6(address),
    }
}

fn v4(address: Ipv4Addr) -> Option<&'static str> {
    let bits = u32::from(address);
    let is_in = |first: [u8; 4], length: u32| (bits ^ u32::from_be_bytes(first)).leading_zeros() >= length;
    V4.iter().find(|(first, length, _)| is_in(*first, *length)).map(|(.., name)| *name)
}

fn v6(address: Ipv6Addr) -> Option<&'static str> {
    let bits = u128::from(address);
    let is_in = |first: [u16; 8], length: u32| (bits ^ u128::from(Ipv6Addr::from(first))).leading_zeros() >= length;
    let named = V6.iter().find(|(first, length, _)| is_in(*first, *length)).map(|(.., name)| *name);
    // An embedded IPv4 address after any prefix (RFC 5214 §6.1).
    let named = named.or_else(|| matches!(bits as u64 >> 32, 0x5efe | 0x0200_5efe).then_some("ISATAP"));
    named.or_else(|| (!is_in([0x2000, 0, 0, 0, 0, 0, 0, 0], 3)).then_some("not of the public internet"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_public_is_known() {
        let kind = |text: &str| not_public(text.parse().unwrap());
        for public in
            ["8.8.8.8", "100.128.0.1", "172.32.0.1", "193.0.0.1", "223.255.255.255", "2606:4700::1", "2a00::1"]
        {
            assert_eq!(kind(public), None, "{public}");
        }
        for (address, what) in [
            ("0.0.0.0", "this network"),
            ("10.255.0.1", "private"),
            ("100.64.0.1", "shared by carriers"),
            ("100.127.255.255", "shared by carriers"),
            ("127.8.9.1", "loopback"),
            ("169.254.169.254", "link-local"),
            ("172.31.0.1", "private"),
            ("192.168.1.1", "private"),
            ("198.19.0.1", "for benchmarks"),
            ("239.0.0.1", "multicast"),
            ("255.255.255.255", "reserved"),
            ("::", "unspecified"),
            ("::1", "loopback"),
            ("::ffff:8.8.8.8", "an IPv4 address written as IPv6"),
            ("64:ff9b::a00:1", "NAT64"),
            ("fd00:ec2::254", "private"),
            ("fe80::1", "link-local"),
            ("fec0::1", "not of the public internet"),
            ("ff02::1", "multicast"),
            ("2001::1", "reserved for protocols"),
            ("2001:db8::1", "for documentation"),
            ("2002:a00:1::", "6to4"),
            ("::7f00:1", "not of the public internet"),
            ("2606:4700::5efe:a00:1", "ISATAP"),
            ("2606:4700::200:5efe:7f00:1", "ISATAP"),
            ("fe80::5efe:a00:1", "link-local"),
        ] {
            assert_eq!(kind(address), Some(what), "{address}");
        }
    }
}
