/** IPv6 neighbour discovery. */
export const neighbours = 'nd-neighbor-solicit, nd-neighbor-advert';
const errors = 'destination-unreachable, time-exceeded, parameter-problem';

/** Pings, and errors about packets that were not delivered. */
export const pings = [
  `icmp type { echo-request, ${errors} } accept`,
  `icmpv6 type { echo-request, packet-too-big, ${errors} } accept`,
];

/** Loopback addresses, which are invalid in packets from other hosts. */
export const loopback = [
  'ip saddr 127.0.0.0/8 drop',
  'ip daddr 127.0.0.0/8 drop',
  'ip6 saddr ::1 drop',
  'ip6 daddr ::1 drop',
];
