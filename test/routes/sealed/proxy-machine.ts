import type { Outsider } from '../../host/network/outsider.ts';
import type { OpenWay, Surroundings } from '../../host/sealed/sealed-premises.ts';
import { login } from '../../host/sealed/ways-out.ts';

/** Debian's tinyproxy with a login, on a machine of its own. */
export const throughTinyproxy: OpenWay = async (surroundings) => {
  const machine = await proxyMachine(surroundings, 'tinyproxy-bin');
  const [user, password] = login.split(':');
  const settings = `Port 3128
Timeout 600
MaxClients 200
BasicAuth ${user} ${password}
LogFile "/var/log/proxy.log"
LogLevel Connect
`;
  await output(machine, 'cat >/root/tinyproxy.conf', settings);
  await output(machine, 'touch /var/log/proxy.log && tinyproxy -c /root/tinyproxy.conf');
  const url = `http://${login}@${machine.addresses.v4}:3128`;
  return wayThrough(machine, { mode: 'http-proxy', url });
};

/** Debian's microsocks with a login, on a machine of its own. */
export const throughMicrosocks: OpenWay = async (surroundings) => {
  const machine = await proxyMachine(surroundings, 'microsocks');
  const [user, password] = login.split(':');
  const options = `-i 0.0.0.0 -p 1080 -u ${user} -P ${password}`;
  await output(machine, `setsid microsocks ${options} >/var/log/proxy.log 2>&1 &`);
  const url = `socks5h://${login}@${machine.addresses.v4}:1080`;
  return wayThrough(machine, { mode: 'socks5', url });
};

/** Starts a machine that resolves the hosts of the internet, and installs a proxy. */
export async function proxyMachine(
  { cloud, overseas }: Surroundings,
  ...packages: readonly string[]
): Promise<Outsider> {
  const machine = await cloud.outsider();
  const settings = `Acquire::http::Proxy "${cloud.packages}";\n`;
  await output(machine, 'cat >/etc/apt/apt.conf.d/91-proxy', settings);
  await machine.install(...packages);
  const hosts = Object.entries(overseas.names).map(([name, address]) => `${address} ${name}\n`);
  await output(machine, 'cat >>/etc/hosts', hosts.join(''));
  return machine;
}

function wayThrough(machine: Outsider, route: object): Awaited<ReturnType<OpenWay>> {
  return {
    site: { route },
    ports: [],
    machines: [machine.addresses],
    log: async () => (await output(machine, 'cat /var/log/proxy.log')).split('\n'),
    // The cloud removes the machine.
    close: async () => {},
  };
}

export async function output(machine: Outsider, command: string, input = ''): Promise<string> {
  const { exitCode, stdout, stderr } = await machine.run(command, { input });
  if (exitCode !== 0) throw new Error(`${command} failed: ${stderr}`);
  return stdout;
}
