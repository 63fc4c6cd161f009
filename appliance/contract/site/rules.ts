import { type HostComponent, hostComponents, selectableComponents } from '../component-names.ts';
import { adviseBase, endsInVersion } from './provider-base.ts';
import type { Site } from './site.ts';
import type { SiteProblem } from './site-problem.ts';
import { judgeStack } from './stack-rules.ts';

/**
 * Checks what no single field can tell. Gives every problem. The builder asks before it renders
 * user-data, and the server before it begins, since a person may have changed the site there.
 * @param site the parts of a site that are valid by themselves
 */
export function judgeSite(site: Partial<Site>): SiteProblem[] {
  return [
    ...judgeTls(site),
    ...judgeHosts(site),
    ...judgeHostsOfParts(site),
    ...judgeProviders(site),
    ...judgeUpdates(site),
    ...judgeStack(site),
  ];
}

function judgeTls({ tls, admin, hosts }: Partial<Site>): SiteProblem[] {
  if (!tls) return [];
  const problems: SiteProblem[] = [];
  const asksAuthority =
    tls.mode === 'acme' || tls.mode === 'acme-staging' || tls.mode === 'acme-ip';
  if (asksAuthority && !tls.accept_terms) {
    problems.push({
      at: ['tls'],
      message: `tls.mode ${tls.mode} needs tls.accept_terms: true`,
      hint: "Read the certificate authority's terms (https://letsencrypt.org/repository/), then set it; or use mode: internal.",
    });
  }
  if (asksAuthority && admin && admin.email === undefined) {
    problems.push({
      at: ['admin'],
      message: `tls.mode ${tls.mode} needs admin.email`,
      hint: 'Write admin: { email: me@example.com }, with your own address: the account at the certificate authority is made for it.',
    });
  }
  const unnamed = hosts && Object.values(hosts).every((host) => host === undefined);
  if (tls.mode !== 'acme-ip' && asksAuthority && unnamed) {
    problems.push({
      at: ['tls', 'mode'],
      message: `tls.mode ${tls.mode} needs a host name, and hosts has none`,
      hint: 'Add hosts.ui, or use mode: acme-ip for a certificate for the bare address.',
    });
  }
  if (tls.mode === 'acme-ip' && hosts && !unnamed) {
    problems.push({
      at: ['tls', 'mode'],
      message: 'tls.mode acme-ip is for sites without host names, and hosts has some',
      hint: 'With host names the bare address is refused: use mode: acme, or remove hosts.',
    });
  }
  if (tls.server && tls.mode !== 'acme' && tls.mode !== 'acme-ip') {
    problems.push({
      at: ['tls', 'server'],
      message: `tls.server has no meaning with tls.mode ${tls.mode}`,
      hint: 'It names another authority for the modes acme and acme-ip: use one of those, or remove it.',
    });
  }
  return problems;
}

function judgeHosts({ hosts = {} }: Partial<Site>): SiteProblem[] {
  const takenBy = new Map<string, string>();
  return Object.entries(hosts).flatMap(([part, host]) => {
    if (host === undefined) return [];
    const other = takenBy.get(host);
    takenBy.set(host, part);
    if (other === undefined) return [];
    return [
      {
        at: ['hosts', part],
        message: `hosts.${part} and hosts.${other} are both ${host}`,
        hint: `Each part needs a name of its own, such as ${part}.${host.split('.').slice(1).join('.')}.`,
      },
    ];
  });
}

/** A name for what does not run would be asked a certificate for, and answer nobody. */
function judgeHostsOfParts({ hosts, components }: Partial<Site>): SiteProblem[] {
  if (!hosts || !components) return [];
  return selectableComponents
    .filter((name): name is typeof name & HostComponent => hostComponents.includes(name))
    .filter((part) => hosts[part] !== undefined && !components[part])
    .map((part) => ({
      at: ['hosts', part],
      message: `hosts.${part} is ${hosts[part]}, but components.${part} is off`,
      hint: `Turn it on with components: { ${part}: true }, or remove hosts.${part}.`,
    }));
}

function judgeProviders({ providers = {} }: Partial<Site>): SiteProblem[] {
  return Object.entries(providers).flatMap(([name, { base_url: url }]) =>
    endsInVersion(url)
      ? []
      : [
          {
            at: ['providers', name, 'base_url'],
            message: `providers.${name}.base_url does not end in /v1`,
            hint: adviseBase(url),
          },
        ],
  );
}

/** The field exists before the capability, so that later releases need no new site format. */
function judgeUpdates({ updates }: Partial<Site>): SiteProblem[] {
  if (!updates || updates.mode === 'off') return [];
  return [
    {
      at: ['updates', 'mode'],
      message: `updates.mode ${updates.mode} is not available in this version of Landfall`,
      hint: 'Remove it, or set it to off.',
    },
  ];
}
