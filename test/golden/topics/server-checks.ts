import { describeLimits } from '#contract/sizes/limits.ts';
import {
  describeHostedOnly,
  describeModelChoice,
  localModels,
} from '#contract/sizes/local-models.ts';
import { junitReport } from '#smoke/junit.ts';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import { smokeTests } from '#smoke/smoke-tests.ts';
import { smokeTable } from '#smoke/table.ts';
import { describePlan } from '../../../appliance/commands/plan.ts';
import {
  describeFirewall,
  firewallDifferences,
  listFirewall,
} from '../../../appliance/stages/firewall/differences.ts';
import { firewallFacts } from '../../../appliance/stages/firewall/facts.ts';
import { stages } from '../../../appliance/stages/first-boot.ts';
import {
  checkComponents,
  checkMachine,
  checkModels,
  warnOfModels,
} from '../../../appliance/stages/preflight/check-machine.ts';
import {
  describeDocumentLimits,
  documentLimits,
} from '../../../appliance/stages/stack/document-limits.ts';
import { describeTls } from '../../../appliance/stages/tls/status.ts';
import { sshAnswers } from '../../appliance/answers.ts';
import { contextFor } from '../../appliance/context.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { anyServer } from '../server-folder.ts';
import { release, siteNames, siteOf } from '../sites.ts';

/** What a server has, needs and lacks: the plan, checks, limits and chosen models. */
export const serverChecks: Topic = async () =>
  new Map([
    ['firewall.txt', await firewallText()],
    ...(await forEachLanguage('smoke', () => sections([['landfall smoke', smokeTable(results)]]))),
    ['smoke.xml', junitReport(results)],
    ['tls.txt', sections(tlsTexts())],
    ['plan.txt', planText()],
    ...(await forEachLanguage('choices', () => sections(siteNames.map(choicesOf)))),
  ]);

async function firewallText(): Promise<string> {
  const found: Section[] = [];
  for (const name of ['smallest', 'everything', 'engines', 'node'] as const) {
    const answers = {
      ...sshAnswers,
      'nft list table': 1,
      'ufw status':
        'Status: active\nDefault: deny (incoming), allow (outgoing)\n\n9000/tcp  ALLOW IN  Anywhere\n',
    };
    const host = anyServer({ answers });
    // Names of providers would be looked up.
    const site = { ...siteOf(name), providers: {}, hub: undefined };
    const facts = await firewallFacts(host, {
      ...site,
      tls: { ...site.tls, server: undefined },
      engines: undefined,
    });
    const list = listFirewall(facts, await firewallDifferences(host, facts));
    found.push([`landfall firewall: ${name}`, describeFirewall(list)]);
    found.push([`landfall firewall --json: ${name}`, json(list)]);
  }
  return sections(found);
}

const results: SmokeResult[] = smokeTests.map(({ name, title, lookAt }, index) => {
  const outcome = (['passed', 'failed', 'skipped'] as const)[index % 3] ?? 'passed';
  const detail = { passed: 'a note', failed: 'status 500', skipped: 'no model is installed' }[
    outcome
  ];
  return {
    name,
    title,
    outcome,
    took: 100 * index,
    detail,
    ...(outcome === 'failed' ? { lookAt: lookAt.en } : {}),
  };
});

function tlsTexts(): Section[] {
  const status = { authority: null, certificate: null, internal: null, missing: null };
  const certificate = {
    ...{ names: 'DNS:chat.example.com', issuer: 'CN=landfall', sha256: '38:A0', trusted: false },
    ...{ until: '2027-02-19T00:00:00.000Z', renewal: '2027-01-20T00:00:00.000Z' },
  };
  const missing = {
    ...{ failures: 2, notBefore: '2026-11-29T13:00:00.000Z', code: 'TLS_NAME' as const },
    ...{ message: 'chat.example.com has no A record', hint: 'Create it.' },
    problems: [{ message: 'the first', hint: 'its hint' }],
  };
  const internal = { url: 'http://chat.example.com/authority.crt', sha256: '38:A0' };
  const all = [
    { ...status, mode: 'off' },
    { ...status, mode: 'internal', certificate, internal },
    { ...status, mode: 'acme', authority: 'https://acme.example.org/directory', missing },
    { ...status, mode: 'custom', certificate: { ...certificate, trusted: true } },
  ] as unknown as Parameters<typeof describeTls>[0][];
  return all.flatMap((each): Section[] => [
    [`landfall tls: ${each.mode}`, describeTls(each)],
    [`landfall tls --json: ${each.mode}`, json(each)],
  ]);
}

function planText(): string {
  return describePlan(
    stages.map(({ name, title }, index) => ({
      ...{ name, title, todo: index % 3 === 0 ? ['write /etc/x', 'start x'] : [], diff: [] },
      ...(index % 3 === 1
        ? { obstacle: 'no secrets', problems: [{ message: 'one', hint: 'fix' }] }
        : {}),
      ...(index === 3
        ? { diff: ['--- /etc/x', '+++ /etc/x (new)', '+a\tb'], hint: 'Run it.' }
        : {}),
    })),
  );
}

/** What a server of a site runs, and what is wrong with a server that is too small for it. */
function choicesOf(name: (typeof siteNames)[number]): Section {
  const site = siteOf(name);
  const sizes = [
    { memory: 2e9, cpus: 1 },
    { memory: 4e9, cpus: 2 },
    { memory: 8e9, cpus: 4 },
    { memory: 16e9, cpus: 8 },
  ];
  const { server } = contextFor(anyServer());
  const texts = sizes.flatMap((size) => {
    const chosen = localModels(release, site, size);
    const facts = { release, site, server: { ...server, ...size } };
    return [
      `${size.memory / 1e9} GB, ${size.cpus} CPUs`,
      describeModelChoice(chosen, size),
      describeHostedOnly(chosen) ?? '',
      describeDocumentLimits(documentLimits(chosen.embedding, size)),
      describeLimits(site, size),
      json([...checkModels(facts), ...warnOfModels(facts)]),
    ];
  });
  const old = {
    distribution: { id: 'debian', version: '10' },
    arch: 'arm64',
    memory: 1e9,
  } as const;
  const problems = [
    ...checkMachine({ ...server, ...old }, release),
    ...checkComponents({ release: { ...release, images: [] }, site }),
  ];
  return [name, [...texts, json(problems)].join('\n')];
}
