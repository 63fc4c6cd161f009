/** How hosts on one link find each other over IPv6. */
export const neighbours = 'nd-neighbor-solicit, nd-neighbor-advert';
const errors = 'destination-unreachable, time-exceeded, parameter-problem';

/** Whether somebody is there, and why a packet did not arrive. */
export const pings = [
  `icmp type { echo-request, ${errors} } accept`,
  `icmpv6 type { echo-request, packet-too-big, ${errors} } accept`,
];

/** Addresses that no packet from another host has a right to. */
export const loopback = [
  'ip saddr 127.0.0.0/8 drop',
  'ip daddr 127.0.0.0/8 drop',
  'ip6 saddr ::1 drop',
  'ip6 daddr ::1 drop',
];
