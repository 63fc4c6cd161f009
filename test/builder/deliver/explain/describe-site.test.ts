import { describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { setLanguage } from '#contract/text/language.ts';
import { digestOf } from '#contract/trust/digest.ts';
import { describeSite } from '../../../../builder/deliver/explain/describe-site.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';

/** The models of the reference appliance, with their sizes in bytes. */
const models = [
  ['qwen3:1.7b', 'chat', 1.36e9],
  ['qwen3:4b-instruct', 'chat', 2.5e9],
  ['qwen3:8b', 'chat', 5.23e9],
  ['all-minilm:22m', 'embedding', 46e6],
  ['qwen3-embedding:0.6b', 'embedding', 639e6],
] as const;

const release: Release = {
  ...makeRelease(tinyFiles),
  models: models.map(([name, role, size]) => ({ name, role, size, manifest: null })),
  images: [
    {
      ...{ component: 'engine', reference: 'docker.io/x/engine:1', index: digestOf('engine') },
      ...{ manifest: null, config: null, size: null, optional: false },
    },
  ],
};

const urls = ['https://downloads.example.com/landfall/'];
const acme = { mode: 'acme', accept_terms: true } as const;

/** Returns the values of the rows with a label. */
function valuesOf(label: string, rows: ReturnType<typeof describeSite>): string[] {
  return rows.flatMap(([each, value]) => (each === label ? [value] : []));
}

describe('describeSite', () => {
  it('names the models with their sizes, and the disk, by the memory of the server', () => {
    const site = siteWith({ release: urls });
    // As in docs/start/sizes.md.
    expect(valuesOf('models', describeSite(site, { release }))).toEqual([
      'with 2 GB of memory: hosted models only: no chat model of the release fits this server, all-minilm:22m (46.0 MB); about 20 GB of disk',
      'with 4 GB of memory: qwen3:1.7b (1.4 GB), all-minilm:22m (46.0 MB); about 25 GB of disk',
      'with 6 GB of memory: qwen3:4b-instruct (2.5 GB), all-minilm:22m (46.0 MB); about 25 GB of disk',
      'with 8 GB of memory: qwen3:4b-instruct (2.5 GB), qwen3-embedding:0.6b (639 MB); about 25 GB of disk',
      'with 12 or 16 GB of memory: qwen3:8b (5.2 GB), qwen3-embedding:0.6b (639 MB); about 30 GB of disk',
    ]);
    expect(valuesOf('models', describeSite(site, { release, memory: 8 }))).toHaveLength(1);
  });

  it.each([
    [undefined, 'the largest of the release that fits into memory'],
    [[], 'none: hosted models only'],
    [['qwen3:8b'], 'qwen3:8b'],
  ])('names the models of the site without a release: %j', (named, text) => {
    const site = siteWith({ release: urls, ...(named ? { models: named } : {}) });
    expect(valuesOf('models', describeSite(site))).toEqual([text]);
  });

  it('lists the DNS records to create, once for each name', () => {
    const site = siteWith({
      ...{ release: urls, tls: acme },
      hosts: { ui: 'chat.example.com', docs: 'docs.example.com' },
    });
    expect(valuesOf('needs DNS', describeSite(site))).toEqual(
      ['chat.example.com', 'docs.example.com'].map(
        (name) => `${name}: a record of type A (and AAAA) with the address of the server`,
      ),
    );
    expect(valuesOf('needs DNS', describeSite(siteWith({ release: urls })))).toEqual([]);
  });

  it('says what the server does not do, as far as the site does not make it do so', () => {
    const plain = valuesOf('does not', describeSite(siteWith({ release: urls })));
    expect(plain).toEqual([
      'accept connections on other ports',
      'send statistics about its use to the authors of Landfall, or need an account with them',
      'send chats to another computer: its own models answer',
      'look for new releases',
      'back up its chats to another computer',
    ]);
    const channels = ['https://downloads.example.com/channel/'];
    const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
    const site = siteWith({ release: urls, providers, updates: { channels } });
    expect(valuesOf('does not', describeSite(site))).toEqual([
      ...plain.slice(0, 2),
      'install new releases on its own: it announces them',
      'back up its chats to another computer',
    ]);
    const installing = siteWith({ release: urls, updates: { channels, mode: 'install' } });
    expect(valuesOf('does not', describeSite(installing)).join()).not.toContain('new releases');
  });

  it('says all of it in Chinese', () => {
    setLanguage('zh');
    try {
      const text = describeSite(siteWith({ release: urls }), { release })
        .flat()
        .join('\n');
      expect(text).toContain('内存 8 GB：qwen3:4b-instruct (2.5 GB)');
      expect(text).toContain('接受其他端口的连接');
      expect(text).not.toMatch(/\b(?:with|of memory|does not|the server)\b/);
    } finally {
      setLanguage('en');
    }
  });

  it('says who reaches the chat of a site with a tunnel, and which record a name needs', () => {
    const key = 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=';
    const peers = [{ name: 'laptop', public_key: key, address: '10.86.0.2' }];
    const site = siteWith({
      ...{ release: urls, access: { mode: 'wireguard', peers } },
      ...{ hosts: { ui: 'chat.example.com' }, tls: { mode: 'internal' } },
    });
    const rows = describeSite(site, { release });
    expect(valuesOf('opens', rows)).toEqual(['the port of SSH, 51820/udp']);
    expect(valuesOf('chat only for', rows)).toEqual([
      'devices of WireGuard that the server adds later, at 10.86.0.1',
    ]);
    expect(rows.map(([, value]) => value)).toContain(`laptop  10.86.0.2  ${key}`);
    expect(valuesOf('needs DNS', rows)).toEqual([
      'chat.example.com: a record of type A with the address 10.86.0.1',
    ]);
  });
});
