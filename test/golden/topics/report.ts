import { languages } from '#contract/text/language.ts';
import { recordsOf, tunnelsOf, urlsOf } from '../../../appliance/stages/report/gather.ts';
import { consoleEnding, renderGreeting } from '../../../appliance/stages/report/greeting.ts';
import { renderReport } from '../../../appliance/stages/report/render-report.ts';
import { type Report, reportSchema } from '../../../appliance/stages/report/report.ts';
import { warningOf } from '../../appliance/server/stage/warning-of.ts';
import { certificateOf, goodReport } from '../../appliance/stages/report/fixture.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { siteNames, siteOf } from '../sites.ts';

/** Reports of servers that differ in what their administrators must do. */
const reports: Readonly<Record<string, Report>> = {
  healthy: { ...goodReport, warnings: [] },
  'trusted certificate': {
    ...goodReport,
    certificate: { ...certificateOf(goodReport), own: false, acme: true, trusted: true },
  },
  'every step is open': {
    ...goodReport,
    addresses: { v4: ['10.0.0.5'], v6: [], public: null },
    missingKeys: ['OPENAI_API_KEY', 'DEEPSEEK_API_KEY'],
    models: [{ name: 'qwen3:8b', size: 5_200_000_000, present: false }],
    ...{ needsNode: true, needsBackup: true, lacksModel: true },
    warnings: [warningOf('no swap could be made'), warningOf('qwen3:8b will be slow')],
  },
  'hosted models only': {
    ...goodReport,
    ...{ models: [], context: null, certificate: null, chatSignIn: null },
    hostedOnly: 'hosted models only: the site names no chat model',
  },
  'other servers': {
    ...goodReport,
    engines: [
      { name: 'local', state: 'up' },
      { name: 'gpu1', state: 'down', reason: 'Layer4 timeout' },
      { name: 'gpu2', state: 'draining' },
    ],
  },
  'engine node': {
    ...goodReport,
    ...{ urls: [], tunnels: [], records: [], chatSignIn: null },
    addNode: 'sudo landfall node token gpu1',
  },
  'through a tunnel': {
    ...goodReport,
    addresses: { v4: ['10.0.0.5'], v6: [], public: null, tunnel: '10.86.0.1' },
    records: goodReport.records.map((record) => ({ ...record, value: '10.86.0.1' })),
    needsDevice: true,
  },
  'behind NAT': {
    ...goodReport,
    addresses: { v4: ['10.0.0.5'], v6: [], public: '203.0.113.5' },
  },
};

/** The report, the login message and the end of the console. */
export const report: Topic = async () =>
  new Map([
    ...languages.map((language): [string, string] => [
      `report.${language}.txt`,
      sections(each((one) => renderReport({ ...one, language }, { timings: true }))),
    ]),
    ['report.txt', renderReport(goodReport, { columns: 60 })],
    ['report.json', json(reportSchema.parse(goodReport))],
    ...languages.map((language): [string, string] => [
      `login-message.${language}.txt`,
      sections(each((one) => renderGreeting({ ...one, language }))),
    ]),
    ['console.txt', sections(each((one) => consoleEnding(one).join('\n')))],
    ['addresses.json', sections(siteNames.map(addressesOf))],
    ...(await forEachLanguage('terminal', () => renderReport(goodReport, { columns: 80 }))),
  ]);

function each(render: (report: Report) => string): Section[] {
  return Object.entries(reports).map(([name, one]) => [name, render(one)]);
}

/** Where the components of a site are reached, and its DNS records. */
function addressesOf(name: (typeof siteNames)[number]): Section {
  const site = siteOf(name);
  const [v4, v6] = ['203.0.113.5', '2001:db8::5'];
  const urls = urlsOf(site, v4);
  const tunnels = tunnelsOf(site, ['ssh', `${site.admin.user}@${v4}`]);
  return [name, json({ urls, tunnels, records: recordsOf(site, v4, v6) })];
}
