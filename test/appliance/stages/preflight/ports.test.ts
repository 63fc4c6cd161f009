import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { checkPorts, parseListeners } from '../../../../appliance/stages/preflight/ports.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

/** A line of `ss -H -tlnp`. */
const line = (port: number, users = '') =>
  `LISTEN 0      511          0.0.0.0:${port}       0.0.0.0:*    ${users}`;
const nginx = 'users:(("nginx",pid=813,fd=6),("nginx",pid=812,fd=6))';

async function judge(
  listeners: string[],
  answers: Answers = {},
  site: Readonly<Record<string, unknown>> = {},
) {
  const host = TemporaryHost.with({}, { ss: listeners.join('\n'), ...answers });
  return await checkPorts(contextFor(host, { site }));
}

describe('the output of ss', () => {
  it('parses the output of ss with all processes of a port, including IPv6 and wildcards', () => {
    const others = ['LISTEN 0 128 [::]:443 [::]:*', 'LISTEN 0 128 *:8080 *:*', ''];
    expect(parseListeners([line(80, nginx), ...others].join('\n'))).toEqual([
      {
        address: '0.0.0.0',
        port: 80,
        processes: [
          { name: 'nginx', pid: 813 },
          { name: 'nginx', pid: 812 },
        ],
      },
      { address: '[::]', port: 443, processes: [] },
      { address: '*', port: 8080, processes: [] },
    ]);
  });

  it('parses the output of ss as printed by the installed version', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const listeners = parseListeners(execFileSync('ss', ['-H', '-tlnp'], { encoding: 'utf8' }));
    server.close();
    const own = listeners.find((each) => each.port === port);
    expect(own?.processes.map(({ pid }) => pid)).toContain(process.pid);
  });
});

describe('free ports', () => {
  it('accepts free ports if other programs use other ports', async () => {
    expect(await judge([line(22), line(8080)])).toEqual([]);
  });
});

describe('ports of the gateway that are already used', () => {
  it('reports two used gateway ports as one problem for one web server', async () => {
    expect(await judge([line(443, nginx), line(80, nginx)])).toEqual([
      expect.objectContaining({
        message: 'ports 80 and 443 are already used by nginx (process 813)',
      }),
    ]);
  });

  it('reports used gateway ports for each program', async () => {
    const apache = line(80, 'users:(("apache2",pid=99,fd=4))');
    const strange = line(443, 'users:(("constructor",pid=100,fd=4))');
    expect((await judge([apache, strange])).map(({ message }) => message)).toEqual([
      'port 80 is already used by Apache (process 99)',
      'port 443 is already used by constructor (process 100)',
    ]);
  });

  it('reports a used gateway port if the process is not visible', async () => {
    expect(await judge([line(80)])).toEqual([
      expect.objectContaining({ message: 'port 80 is already used by another program' }),
    ]);
  });

  it('reports a used gateway port once for IPv4 and IPv6', async () => {
    const both = [line(80, nginx), line(80, nginx).replace('0.0.0.0:80', '[::]:80')];
    expect(await judge(both)).toHaveLength(1);
  });
});

describe('ports on loopback that are already used', () => {
  const grafana = 'users:(("grafana",pid=77,fd=9))';

  it('reports a used port on loopback with the field, the program and a free port', async () => {
    expect(await judge([line(3000, grafana), line(3002)])).toEqual([
      {
        message: 'port 3000 (ports.ui) is already used by grafana (process 77)',
        hint: 'Set ports.ui in the site to a free port, such as 3003, or remove that program.',
      },
    ]);
  });

  it.each(['*', '0.0.0.0', '127.0.0.1', '[::]', '[::ffff:127.0.0.1]', '127.0.0.1%lo'])(
    'detects a used port on loopback with the listening address %s',
    async (address) => {
      const held = line(11434, grafana).replace('0.0.0.0:11434', `${address}:11434`);
      expect(await judge([held])).toHaveLength(1);
    },
  );

  it.each(['10.0.0.5', '[::1]', '[fe80::1]%eth0'])(
    'ignores a used port with the listening address %s',
    async (address) => {
      expect(await judge([line(11434).replace('0.0.0.0:11434', `${address}:11434`)])).toEqual([]);
    },
  );

  it('checks ports on loopback only for enabled components', async () => {
    const listeners = [line(3001, grafana), line(3210, grafana), line(8080, grafana)];
    expect(await judge(listeners)).toEqual([]);
    const site = { components: { chat: true, lobe: true } };
    expect(
      (await judge(listeners, {}, site)).map(({ message }) => message.split(' is ')[0]),
    ).toEqual(['port 3001 (ports.chat)', 'port 3210 (ports.lobe)', 'port 8080 (ports.relay)']);
  });

  it('checks the ports of the site instead of the defaults', async () => {
    expect(await judge([line(3000, grafana)], {}, { ports: { ui: 3500 } })).toEqual([]);
    expect(await judge([line(3500, grafana)], {}, { ports: { ui: 3500 } })).toHaveLength(1);
  });

  it('accepts ports on loopback if Docker holds them for our containers', async () => {
    expect(await judge([line(3000, 'users:(("docker-proxy",pid=5,fd=4))')])).toEqual([]);
  });
});

describe('ports that Landfall already uses', () => {
  it('accepts ports if Docker holds them for the gateway', async () => {
    expect(await judge([line(80, 'users:(("docker-proxy",pid=5,fd=4))')])).toEqual([]);
  });

  it('accepts ports if systemd holds them for the page of the first boot', async () => {
    const page = [line(80, 'users:(("MainThread",pid=7,fd=3),("systemd",pid=1,fd=40))')];
    expect(await judge(page, { 'systemctl is-active': 0 })).toEqual([]);
    expect(await judge(page, { 'systemctl is-active': 3 })).toHaveLength(1);
  });

  it('accepts ports if the program of a release holds them', async () => {
    const host = TemporaryHost.with({}, { ss: line(80, 'users:(("MainThread",pid=7,fd=3))') });
    mkdirSync(host.path('proc/7'), { recursive: true });
    symlinkSync('/opt/landfall/releases/1.0.0-amd64/runtime/node', host.path('proc/7/exe'));
    expect(await checkPorts(contextFor(host))).toEqual([]);
  });
});
