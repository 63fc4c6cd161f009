import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { asciiJson, briefSite } from '#contract/site/brief-site.ts';
import { publicOpenings } from '#contract/site/network/public-ports.ts';
import { relayKeyTerms } from '#contract/site/relay/key-terms.ts';
import { checkSite } from '#contract/site/rules.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { network } from '#contract/site/urls.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { chooseProxy } from '#http/proxy.ts';
import { readConfig } from '../../appliance/relay/config.ts';
import { networkOptions } from '../../appliance/server/host/download/download.ts';
import {
  goRouteEnvironment,
  routeEnvironment,
} from '../../appliance/server/host/download/route-environment.ts';
import { openingsOf } from '../../appliance/stages/firewall/facts.ts';
import { upgradesText } from '../../appliance/stages/kernel/security-upgrades.ts';
import { sourcesOf } from '../../appliance/stages/models/fetch-model.ts';
import { namesToResolve } from '../../appliance/stages/preflight/names.ts';
import { recordsOf, tunnelsOf, urlsOf } from '../../appliance/stages/report/gather.ts';
import { destinations } from '../../appliance/stages/route/probe-destinations.ts';
import { aptProxy, proxyEnv } from '../../appliance/stages/route/route-settings.ts';
import { clientSettings } from '../../appliance/stages/runtime/client-files.ts';
import { daemonSettings } from '../../appliance/stages/runtime/daemon-settings.ts';
import { sourcesText } from '../../appliance/stages/runtime/install-docker.ts';
import { secretNames } from '../../appliance/stages/secrets/secret-names.ts';
import { renderStack } from '../../appliance/stages/stack/render-stack.ts';
import { legoArguments } from '../../appliance/stages/tls/acme-pair.ts';
import { authorityOf } from '../../appliance/stages/tls/authority.ts';
import { renderSudoers } from '../../appliance/stages/users/sudo-rights.ts';
import { renderUserData } from '../../builder/deliver/user-data/render.ts';
import { emptyRelease } from '../appliance/context.ts';
import { inputsWith } from '../builder/deliver/user-data/rendered.ts';
import { fuzzRuns } from '../simulator/fuzz.ts';
import { redirectRulesOf } from '../simulator/redirect-rules.ts';
import { anySite } from '../simulator/site-arbitrary.ts';

/** Expected errors of the builder for a valid site. */
const saidByBuilder = ['USER_DATA_TOO_LARGE', 'CONFIG_INVALID'];

/** Returns the site as the server reads it, from user-data or from a manually edited file. */
function onServer(site: Site): Site {
  const read = siteSchema.parse(JSON.parse(asciiJson(briefSite(site))));
  expect(read).toEqual(site);
  return read;
}

/** Returns user-data; undefined if the builder rejects the site with an expected error. */
function userDataOf(site: Site): string | undefined {
  try {
    return decodeUtf8(renderUserData(inputsWith({ site })).bytes);
  } catch (error) {
    if (error instanceof LandfallError && saidByBuilder.includes(error.code)) return undefined;
    throw error;
  }
}

const release = { ...emptyRelease, kind: 'thin' as const };
const model = parseModelName('qwen3:8b');

/** Returns the files of the stack by path. */
function stackOf(site: Site): Map<string, string> {
  const secrets = Object.fromEntries(secretNames(site).map(({ name }) => [name, `of ${name}`]));
  const server = {
    memory: 8e9,
    cpus: 4,
    addresses: ['203.0.113.7', '2001:db8::7'],
    ipv6: 'reachable',
  } as const;
  const files = renderStack({ site, secrets, server, images: [] });
  return new Map(files.map(({ path, content }) => [path, content]));
}

/** Returns the other settings that the stages derive from a site, by purpose. */
function settingsOf(site: Site): Record<string, string> {
  const authority = authorityOf(site);
  const { email = '' } = site.admin;
  return {
    sudoers: renderSudoers(site.admin.user),
    upgrades: upgradesText(site),
    apt: aptProxy(site)?.text ?? '',
    'proxy.env': proxyEnv(site) ?? '',
    'docker.sources': sourcesText(
      { distribution: { id: 'debian', version: '13' }, codename: 'trixie' },
      site,
    ),
    'daemon.json': daemonSettings(undefined, { site, routes: [], dockerVersion: 28 }).text,
    'config.json': clientSettings(undefined, routeEnvironment(site, 'container')) ?? '',
    engine: Object.values(goRouteEnvironment(site, 'container')).join('\n'),
    lego: authority ? legoArguments(authority, email, ['a.example']).join('\n') : '',
    redirect: redirectRulesOf(site),
    openings: JSON.stringify(openingsOf(site, { allow: [], deny: [] })),
    names: namesToResolve(site).join('\n'),
    records: JSON.stringify(recordsOf(site, '203.0.113.7', '2001:db8::7')),
    models: model ? JSON.stringify(sourcesOf(model, site)) : '',
  };
}

const urls = (site: Site): string[] => [
  ...urlsOf(site, '2001:db8::7').map(({ url }) => url),
  ...tunnelsOf(site, ['ssh', 'ops@203.0.113.7']).map(({ url }) => url),
  ...destinations(release, site).flatMap((each) => each.urls),
];

const forEverySite = (check: (site: Site) => void) =>
  fc.assert(
    fc.property(anySite, (site) => {
      check(onServer(applyVariables(site)));
    }),
    { numRuns: fuzzRuns(250) },
  );

describe('every site that the schema accepts', () => {
  it('generates sites with several values for each field', () => {
    const sites = fc.sample(anySite, { numRuns: 300, seed: 1 });
    const same = Object.keys(siteSchema.shape).filter((field) => {
      const values = new Set(sites.map((site) => JSON.stringify(site[field as keyof Site])));
      return values.size < (field === 'role' ? 2 : 3);
    });
    expect(same).toEqual([]);
    const keys = sites.flatMap(({ relay }) => relay.keys).filter((key) => typeof key === 'object');
    for (const term of ['name', 'providers', ...Object.keys(relayKeyTerms)])
      expect(keys.filter((key) => key[term as keyof typeof key]).length, term).toBeGreaterThan(5);
    expect(sites.filter(({ relay }) => relay.ui).length).toBeGreaterThan(5);
  });

  it('accepts on the server every site that the schema accepts', () => {
    forEverySite((site) => expect(checkSite(site)).toEqual([]));
  });

  it('results in user-data, or an error with the reason', () => {
    let pasted = 0;
    forEverySite((site) => {
      const text = userDataOf(site);
      if (text === undefined) return;
      pasted += 1;
      expect(text).toMatch(/^[\t\n -~]*$/);
      const { write_files: files } = parse(text);
      const file = files.find(({ path }: { path: string }) => path === '/etc/landfall/site.json');
      expect(siteSchema.parse(JSON.parse(file.content))).toEqual(site);
    });
    expect(pasted).toBeGreaterThan(fuzzRuns(250) / 5);
  });

  it('results in a stack that its programs can parse', () => {
    forEverySite((site) => {
      const files = stackOf(site);
      for (const [path, content] of files) {
        expect(content).not.toContain('\0');
        if (path.endsWith('.env')) expect(content).toMatch(/^(?:#.*\n|\w+='[^'\\\n]*'\n)*$/);
        if (path.endsWith('.conf') && path.startsWith('gateway')) expectBalanced(content);
      }
      const relay = files.get('relay/relay.json');
      if (relay !== undefined) readConfig(relay, 'relay.json');
      for (const line of linesOf(files.get('tinyproxy/filter'))) new RegExp(line);
      for (const line of linesOf(files.get('tinyproxy/tinyproxy.conf'))) {
        expect(line).toMatch(tinyproxyLine);
      }
    });
  });

  it('results in settings that their programs can parse', () => {
    forEverySite((site) => {
      const settings = settingsOf(site);
      expect(settings.sudoers).toMatch(/\n[a-z_][a-z0-9_-]* ALL=\(ALL:ALL\) NOPASSWD: ALL\n$/);
      for (const line of linesOf(settings.apt).slice(1)) {
        expect(line).toMatch(/^Acquire::https?::Proxy(?:::[A-Za-z0-9._:-]+)? "[^"\s]+";$/);
      }
      expect(settings['docker.sources']).toMatch(/^URIs: https?:\/\/\S+$/m);
      for (const name of ['daemon.json', 'config.json'] as const) {
        if (settings[name]) JSON.parse(settings[name]);
      }
      // What nft accepts is tested with nft itself: test/integration/route/redirect-rules.test.ts
      for (const [, elements = ''] of settings.redirect?.matchAll(/elements = \{ (.*) \}/g) ?? []) {
        for (const each of elements.split(', ')) expect(network.safeParse(each).success).toBe(true);
      }
      for (const line of linesOf(settings['proxy.env'])) expect(line).toMatch(/^\w+=\S+$/);
      const email = linesOf(settings.lego).filter((line) => line.startsWith('--email'));
      if (settings.lego) expect(email).toEqual([`--email=${site.admin.email}`]);
      expect(JSON.parse(settings.openings ?? '').length).toBeGreaterThanOrEqual(
        site.role ? (site.engine_node?.clients ? 1 : 0) : publicOpenings(site).length,
      );
      chooseProxy(new URL('https://registry.example/'), networkOptions(site));
      for (const url of urls(site)) new URL(url);
    });
  });

  it('gives the secrets of every site unique names', () => {
    forEverySite((site) => {
      const names = secretNames(site).map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
    });
  });
});

const tinyproxyLine =
  /^(?:#.*|(?:Port|Timeout|MaxClients|ConnectPort) \d+|LogLevel Connect|DisableViaHeader Yes|StatHost "-"|FilterURLs On|FilterType ere|FilterCaseSensitive Off|FilterDefaultDeny Yes|Filter "[^"]+"|Allow [0-9a-f.:]+(?:\/\d+)?|BasicAuth [A-Za-z0-9_.-]+ .+|Upstream (?:http|socks5) (?:[^:]+:[^@]*@)?[a-z0-9._:-]+:\d+)$/i;

function linesOf(text = ''): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function expectBalanced(text: string): void {
  const outsideQuotes = text.replaceAll(/"[^"]*"|'[^']*'|^\s*#.*$/gm, '');
  const count = (sign: string) => outsideQuotes.split(sign).length;
  expect(count('{')).toBe(count('}'));
}
