import { beforeAll, describe, expect, it } from 'vitest';
import type { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { fileName, type ModelHub, repository } from './model-hub.ts';
import { npmArchive } from './npm-archive.ts';

/** A command of the administrator in a login shell, what it prints, and the host in the log. */
interface Tool {
  readonly name: string;
  readonly command: string;
  readonly prints: RegExp;
  readonly host: string;
}

const hf = `~/tools/bin/hf download ${repository} --local-dir ~/models --quiet`;

/** In this order, because later tools are installed with earlier ones. */
const tools: readonly Tool[] = [
  {
    name: 'apt',
    command: 'sudo apt-get -q update && sudo apt-get -qy install git python3-venv',
    prints: /Setting up python3-venv/,
    host: 'deb.debian.org',
  },
  {
    name: 'curl',
    command: 'curl -sSf https://github.com/docker-compose | wc -c',
    prints: /^\d{7,}$/,
    host: 'github.com:443',
  },
  {
    name: 'git',
    command: 'git clone -q https://git.example.net/tiny.git ~/tiny && cat ~/tiny/README',
    prints: /^from git$/,
    host: 'git.example.net:443',
  },
  {
    name: 'pip',
    command: 'python3 -m venv ~/tools && ~/tools/bin/pip install huggingface_hub',
    prints: /Successfully installed .*huggingface_hub/i,
    host: 'pypi.org:443',
  },
  {
    name: 'npm',
    command: 'mkdir -p ~/project && cd ~/project && node /opt/npm/bin/npm-cli.js install is-odd',
    prints: /added \d+ packages/,
    host: 'registry.npmjs.org:443',
  },
  {
    name: 'hf',
    command: `${hf} && sha256sum ~/models/${fileName}`,
    prints: /^[0-9a-f]{64} /m,
    host: 'hub.example.net:443',
  },
  {
    name: 'docker pull',
    command: 'sudo docker image rm -f nginx:1.30.7-alpine; sudo docker pull nginx:1.30.7-alpine',
    prints: /Downloaded newer image/,
    host: 'registry-1.docker.io:443',
  },
  {
    name: 'docker build',
    command: `printf 'FROM nginx:1.30.7-alpine\\nRUN wget -qO- http://plain.example.net/\\n' |
      sudo docker build --no-cache - 2>&1`,
    prints: /from plain http/,
    host: 'plain.example.net',
  },
  {
    name: 'docker run',
    command: 'sudo docker run --rm nginx:1.30.7-alpine wget -qO- http://plain.example.net/run',
    prints: /from plain http/,
    host: 'plain.example.net',
  },
];

/** Tests the tools of the administrator over the route of the server. */
export function itServesTools(server: () => SealedPremises, hub: () => ModelHub): void {
  const ops = (command: string) => server().premises.host.run(['su', '-', 'ops', '-c', command]);

  beforeAll(async () => {
    const { host } = server().premises;
    await host.put('/opt/npm.tgz', await npmArchive());
    await host.output('mkdir /opt/npm && tar -xzf /opt/npm.tgz -C /opt/npm --strip-components=1');
    // npm needs a node in PATH; only root can run the one of the release.
    await host.output('install -m 755 /opt/landfall/current/runtime/node /usr/local/bin/node');
  });

  describe.each(tools)('$name', ({ command, prints, host }) => {
    it('works through the proxy, and sends no packet directly', async () => {
      const { uplink, way } = server();
      const [seen, before] = [(await way.log()).length, await uplink.dropped()];
      const { exitCode, stdout, stderr } = await ops(command);
      expect(stdout.trim(), stderr).toMatch(prints);
      expect(exitCode, stderr).toBe(0);
      expect((await way.log()).slice(seen).join('\n')).toContain(host);
      expect(await uplink.dropped()).toEqual(before);
    });
  });

  it('resumed the file of the hub after the connection was cut', async () => {
    expect(hub().downloads).toEqual(['', expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect((await ops(`sha256sum ~/models/${fileName}`)).stdout).toContain(hub().sha256);
  });

  it('gives the proxy to containers of an administrator in the group docker', async () => {
    await server().premises.host.output('usermod -aG docker ops');
    const run = `docker run --rm nginx:1.30.7-alpine sh -c 'echo "$https_proxy"'`;
    const expected = (await ops('printenv https_proxy')).stdout;
    expect(expected).not.toBe('');
    expect((await ops(run)).stdout).toBe(expected);
  });
}
