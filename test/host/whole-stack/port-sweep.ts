import type { Ran } from '../machine/exec.ts';

/**
 * Connects to every TCP port and prints the open ones as JSON. Refusals and timeouts are not
 * distinguished: two seconds are enough for a response on a bridge.
 */
const sweep = `
import errno, json, resource, select, socket, sys, time
address, found, step = sys.argv[1], [], 32768
family = socket.AF_INET6 if ':' in address else socket.AF_INET
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
step = min(step, hard - 64)
for first in range(1, 65536, step):
  poll, tries = select.epoll(), {}
  for port in range(first, min(first + step, 65536)):
    s = socket.socket(family, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    tries[s.fileno()] = (port, s)
    poll.register(s, select.EPOLLOUT)
    if s.connect_ex((address, port)) not in (0, errno.EINPROGRESS): poll.modify(s, 0)
  end, waiting = time.monotonic() + 2, set(tries)
  while waiting and time.monotonic() < end:
    for fd, _ in poll.poll(0.2):
      if fd not in waiting: continue
      waiting.discard(fd)
      poll.unregister(fd)
      port, s = tries[fd]
      if s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0: found.append(port)
  for _, s in tries.values(): s.close()
  poll.close()
print(json.dumps(sorted(found)))
`;

/** A machine with Python. */
interface Client {
  run(command: readonly string[]): Promise<Ran>;
}

/**
 * Returns every TCP port of an address, IPv4 or IPv6, that accepts connections from a client.
 */
export async function openPorts(client: Client, address: string): Promise<number[]> {
  const ran = await client.run(['python3', '-c', sweep, address]);
  if (ran.exitCode !== 0) throw new Error(`the ports cannot be probed: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}
