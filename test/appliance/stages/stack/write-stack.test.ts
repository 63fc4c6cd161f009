import { describe, expect, it } from 'vitest';
import { secretsFolder } from '#contract/server-paths.ts';
import { secretNames } from '../../../../appliance/stages/secrets/secret-names.ts';
import { renderForServer } from '../../../../appliance/stages/stack/write-stack.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { images } from './stack-input.ts';

const docker = {
  'docker info': '{"CpuCfsPeriod":true,"CpuCfsQuota":true}',
  'docker version': '1.47',
};

const site = { ports: {}, tls: { mode: 'internal' } };

/** A server whose only interface has a private address. */
function behindNat(metadata: object) {
  const secrets = secretNames(contextFor(TemporaryHost.with({}), { site }).site).map(
    ({ name }) => [`${secretsFolder}/${name}`, 'a-secret-of-the-test\n'] as const,
  );
  const link = {
    ifname: 'eth0',
    addr_info: [{ family: 'inet', local: '172.16.3.4' }],
  };
  const host = TemporaryHost.with(
    {
      ...Object.fromEntries(secrets),
      'run/cloud-init/instance-data.json': JSON.stringify({ ds: { meta_data: metadata } }),
    },
    {
      'ip -json address': JSON.stringify([link]),
      ...docker,
      'nvidia-smi': 1,
      'nvidia-container-cli': 1,
    },
  );
  const release = {
    images: images.map((image) => ({
      ...image,
      reference: 'docker.io/library/x:1',
      ...{ manifest: null, config: null, size: null, optional: false },
    })),
  };
  return contextFor(host, { site, release });
}

async function pageOf(metadata: object, path: string) {
  const files = await renderForServer(behindNat(metadata));
  return files.find((file) => file.path === path)?.content ?? '';
}

describe("the server's pages behind NAT", () => {
  it('name the public address that the cloud states', async () => {
    const index = await pageOf({ eipv4: '8.8.8.8' }, 'docs/agents/index.md');
    expect(index).toContain('Open the chat: [https://8.8.8.8](https://8.8.8.8)');
    expect(await pageOf({ eipv4: '8.8.8.8' }, '.env')).toContain('https://8.8.8.8');
  });

  it('name a placeholder for the address, and no SSH tunnel, if the cloud states none', async () => {
    const zh = await pageOf({}, 'docs/agents/zh/index.md');
    expect(zh).toContain('用浏览器打开 `https://ADDRESS`，其中 `ADDRESS` 是服务器的公网 IP。');
    expect(zh).not.toContain('聊天页面需通过 SSH 隧道');
    expect(await pageOf({}, 'docs/agents/chat.md')).toContain(
      'Open `https://ADDRESS` in a browser.',
    );
  });
});
