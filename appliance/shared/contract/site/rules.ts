import { type HostComponent, hostComponents, selectableComponents } from '../component-names.ts';
import { checkEngineNode } from './engines/node-rules.ts';
import { checkEngines } from './engines/rules.ts';
import { checkNetwork } from './network/rules.ts';
import { adviseBase, baseFlaw, describeBaseFlaw } from './providers/provider-base.ts';
import type { Site } from './site.ts';
import type { FieldProblem } from './site-problem.ts';
import { checkStack } from './stack-rules.ts';
import { windowOf } from './updates.ts';

/**
 * Checks rules across the fields of a site and returns all problems. The builder calls it before
 * rendering user-data, the server before it starts, because the administrator may edit the site.
 * @param site the fields of a site that are individually valid
 */
export function checkSite(site: Partial<Site>): FieldProblem[] {
  return [
    ...checkTls(site),
    ...checkHosts(site),
    ...checkDisabledHosts(site),
    ...checkEngines(site),
    ...checkEngineNode(site),
    ...checkProviders(site),
    ...checkUpdates(site),
    ...checkStack(site),
    ...checkNetwork(site),
  ];
}

function checkTls({ tls, admin, hosts }: Partial<Site>): FieldProblem[] {
  if (!tls) return [];
  const problems: FieldProblem[] = [];
  const asksAuthority =
    tls.mode === 'acme' || tls.mode === 'acme-staging' || tls.mode === 'acme-ip';
  if (asksAuthority && !tls.accept_terms) {
    problems.push({
      at: ['tls'],
      message: `tls.mode ${tls.mode} needs tls.accept_terms: true`,
      hint: "Read the certificate authority's terms (https://letsencrypt.org/repository/) and set it, or use mode: internal.",
    });
  }
  if (asksAuthority && admin && admin.email === undefined) {
    problems.push({
      at: ['admin'],
      message: `tls.mode ${tls.mode} needs admin.email`,
      hint: 'Set your address, as in admin: { email: me@example.com }; it is used for the account at the certificate authority.',
    });
  }
  const unnamed = hosts && Object.values(hosts).every((host) => host === undefined);
  if (tls.mode !== 'acme-ip' && asksAuthority && unnamed) {
    problems.push({
      at: ['tls', 'mode'],
      message: `tls.mode ${tls.mode} needs a host name, but hosts has none`,
      hint: 'Add hosts.ui, or use mode: acme-ip for a certificate of the bare address.',
    });
  }
  if (tls.mode === 'acme-ip' && hosts && !unnamed) {
    problems.push({
      at: ['tls', 'mode'],
      message: 'tls.mode acme-ip is for sites without host names, but hosts has some',
      hint: 'Use mode: acme, or remove hosts; with host names, the server rejects requests to its bare address.',
    });
  }
  if (tls.server && tls.mode !== 'acme' && tls.mode !== 'acme-ip') {
    problems.push({
      at: ['tls', 'server'],
      message: `tls.server has no effect with tls.mode ${tls.mode}`,
      hint: 'Use mode: acme or acme-ip, or remove tls.server.',
    });
  }
  return problems;
}

function checkHosts({ hosts = {} }: Partial<Site>): FieldProblem[] {
  const takenBy = new Map<string, string>();
  return Object.entries(hosts).flatMap(([name, host]) => {
    if (host === undefined) return [];
    const other = takenBy.get(host);
    takenBy.set(host, name);
    if (other === undefined) return [];
    return [
      {
        at: ['hosts', name],
        message: `hosts.${name} and hosts.${other} are both ${host}`,
        hint: `Set a separate host name for each component, such as ${name}.${host.split('.').slice(1).join('.')}.`,
      },
    ];
  });
}

/** Rejects a host name of a disabled component: it would get a certificate, but no service. */
function checkDisabledHosts({ hosts, components }: Partial<Site>): FieldProblem[] {
  if (!hosts || !components) return [];
  return selectableComponents
    .filter((name): name is typeof name & HostComponent => hostComponents.includes(name))
    .filter((name) => hosts[name] !== undefined && !components[name])
    .map((name) => ({
      at: ['hosts', name],
      message: `hosts.${name} is ${hosts[name]}, but components.${name} is disabled`,
      hint: `Enable it with components: { ${name}: true }, or remove hosts.${name}.`,
    }));
}

function checkProviders({ providers = {}, hub, relay }: Partial<Site>): FieldProblem[] {
  // Both keys would have the same name.
  const isTwice = hub !== undefined && Object.hasOwn(providers, 'hub');
  const twice = {
    at: ['hub'],
    message: 'hub and providers.hub are both set',
    hint: 'Rename the provider.',
  };
  const isLocalTwice = relay?.local === true && Object.hasOwn(providers, 'local');
  const localTwice = {
    at: ['relay', 'local'],
    message: 'relay.local and providers.local are both set',
    hint: 'Rename the provider.',
  };
  const flawed = Object.entries(providers).flatMap(([name, { base_url: url }]) => {
    const flaw = baseFlaw(url);
    if (flaw === undefined) return [];
    return [
      {
        at: ['providers', name, 'base_url'],
        message: `providers.${name}.base_url ${describeBaseFlaw(flaw)}`,
        hint: adviseBase(url),
      },
    ];
  });
  return [...(isTwice ? [twice] : []), ...(isLocalTwice ? [localTwice] : []), ...flawed];
}

/** Minutes. The server begins within the first ten, and an update takes some. */
const minWindow = 30;

function checkUpdates({ updates }: Partial<Site>): FieldProblem[] {
  const { mode, channels = [] } = updates ?? {};
  if (!updates || mode === undefined || mode === 'off') return [];
  const problems: FieldProblem[] = [];
  if (channels.length === 0) {
    const message = `updates.mode ${mode} needs a channel`;
    problems.push({ at: ['updates', 'mode'], message, hint: 'Set `updates.channels`.' });
  }
  const { length } = windowOf({ updates });
  if (mode === 'install' && length < minWindow) {
    const message = `updates.window is ${length} minutes long, and must be at least ${minWindow}`;
    problems.push({ at: ['updates', 'window'], message, hint: 'Use 03:00-05:00.' });
  }
  return problems;
}
