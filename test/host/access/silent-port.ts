import type { Outsider } from '../network/outsider.ts';

/**
 * Sends packets to a UDP port, and prints what came back as JSON: `silent`, `refused` for an ICMP error, or
 * `answered`. Among them is a handshake of WireGuard (type 1, 148 bytes) with a random key.
 */
const probe = `
import json, os, select, socket, sys
address, port = sys.argv[1], int(sys.argv[2])
family = socket.AF_INET6 if ':' in address else socket.AF_INET
packets = [b'', b'x', os.urandom(32), os.urandom(1200)]
packets += [bytes([kind, 0, 0, 0]) + os.urandom(size - 4) for kind, size in [(1, 148), (2, 92), (3, 64), (4, 32)]]
found = 'silent'
for packet in packets:
  s = socket.socket(family, socket.SOCK_DGRAM)
  s.connect((address, port))
  try:
    s.send(packet)
    if select.select([s], [], [], 1)[0]:
      s.recv(2048)
      found = 'answered'
  except ConnectionRefusedError:
    found = 'refused'
  s.close()
print(json.dumps(found))
`;

/** Returns how a UDP port responds to a client without a key. */
export async function responseOf(
  outsider: Outsider,
  address: string,
  port: number,
): Promise<'silent' | 'refused' | 'answered'> {
  const ran = await outsider.run(['python3', '-c', probe, address, `${port}`]);
  if (ran.exitCode !== 0) throw new Error(`the port cannot be probed: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}
