import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefSite } from '#contract/site/brief-site.ts';
import type { Site } from '#contract/site/site.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { jsonFile, rendered, sourceUrl } from './rendered.ts';

const scripts = ['bootstrap', 'unpack.py', 'fetch.py', 'landfall-boot.service'].map((name) =>
  readFileSync(new URL(`../../../../appliance/bootstrap/${name}`, import.meta.url), 'utf8'),
);

const plain = siteWith({ release: [sourceUrl] });

/** Any text, with many special characters of YAML, shells, JSON and terminals. */
const nasty = fc.constantFrom(
  '\n- path: /etc/shadow\n content: x',
  '\n#cloud-config\n',
  '---\n...\n',
  '\u0085\u2028\u2029\ufeff',
  '\u001b[2J\u0007\u007f\u009b',
  '"},\n"admin": {"user":"root"',
  "'; rm -rf / #",
  '$(reboot) `reboot` ${HOME}',
  '\\u000a\\n\t',
  '|+2 >- & * ! %TAG',
);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), nasty);

/** Sites with invalid texts, because the rendering does not rely on the schema. */
const sites: fc.Arbitrary<Site> = fc
  .record({
    comment: text,
    email: text,
    user: text,
    noProxy: fc.array(text, { maxLength: 4 }),
    path: fc.webPath(),
    registries: fc.dictionary(text, text, { maxKeys: 2 }),
    providers: fc.dictionary(text, fc.record({ base_url: text }), { maxKeys: 2 }),
  })
  .map(({ comment, email, user, noProxy, path, registries, providers }) => ({
    ...plain,
    release: [sourceUrl, `https://example.com${path}`],
    admin: { user, email, ssh_keys: [comment] },
    route: { mode: 'http-proxy', url: 'http://10.0.0.2:7890', no_proxy: noProxy },
    mirrors: { registries },
    providers,
  }));

const defaultFiles = [...rendered().files.keys()];

describe('any text in a site', () => {
  it('keeps any text of a site unchanged through YAML, without effect on other text', () => {
    fc.assert(
      fc.property(sites, (site) => {
        const userData = rendered({ site });
        expect(jsonFile(userData, '/etc/landfall/site.json')).toEqual(
          JSON.parse(JSON.stringify(briefSite(site))),
        );
        expect([...userData.files.values()].slice(-4)).toEqual(scripts);
        expect([...userData.files.keys()]).toEqual(defaultFiles);
        expect(userData.text).toMatch(/^[\t\n -~]*$/);
        expect(Object.keys(userData.config)).toEqual(['locale', 'runcmd']);
      }),
    );
  });

  it('includes special characters in this test', () => {
    const samples = fc.sample(sites, 200).map((site) => JSON.stringify(site));
    expect(samples.filter((sample) => sample.includes('cloud-config')).length).toBeGreaterThan(0);
    expect(samples.filter((sample) => /[^ -~]/.test(sample)).length).toBeGreaterThan(20);
  });
});
