const metadata4 = [
  '169.254.0.0/16', // most clouds: 169.254.169.254
  '100.100.100.200/32', // Alibaba
  '168.63.129.16/32', // Azure
  '192.0.0.192/32', // Oracle
];

/**
 * Addresses of cloud metadata services, which may return credentials: all link-local ranges, and
 * known addresses outside of them. No setting opens these to containers.
 */
export const metadataRanges = {
  v4: metadata4,
  v6: [
    'fe80::/10', // OpenStack: fe80::a9fe:a9fe
    'fd00:ec2::254/128', // Amazon
    'fd20:ce::254/128', // Google
    'fd00:a9fe:a9fe::1/128', // Google and OpenStack
    'fd00:42::42/128', // Scaleway
    ...metadata4.flatMap(translated),
  ],
} as const;

/** Returns an IPv4 range as NAT64 (RFC 6052) and 6to4 (RFC 3056) encode it. */
function translated(range: string): string[] {
  const [address = '', bits = ''] = range.split('/');
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  const hex = `${bytes.slice(0, 2).join('')}:${bytes.slice(2).join('')}`;
  return [`64:ff9b::${hex}/${96 + Number(bits)}`, `2002:${hex}::/${16 + Number(bits)}`];
}
