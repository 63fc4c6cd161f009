import { formatBytes } from '#contract/text/amount.ts';
import type { Paint } from '#contract/text/paint.ts';
import { formatTable } from '#contract/text/table.ts';
import type { PublishedBundle } from '../../bundle/archive/publish-bundle.ts';
import type { Check } from './checks.ts';

interface QuickstartFacts {
  readonly built: readonly PublishedBundle[];
  readonly keyId: string;
  readonly checks: readonly Check[];
  readonly notes: readonly string[];
}

/** Renders the summary: what was built, how it was verified, and the next steps. */
export function describeQuickstart(
  { built, keyId, checks, notes }: QuickstartFacts,
  userData: { readonly path: string; readonly size: number },
  show: (path: string) => string,
  paint: Paint,
): string {
  const made = built.map(({ path, release }) => {
    const last = release.files.at(-1);
    return [
      show(path),
      formatBytes((last?.offset ?? 0) + (last?.size ?? 0)),
      'thin, images by digest',
    ];
  });
  made.push([
    show(userData.path),
    formatBytes(userData.size),
    'an example of what you paste; all providers accept 16.4 kB',
  ]);
  const proofs = checks.map(({ tool, state, detail }) => [
    tool,
    state === 'ok' ? paint('green', 'ok') : paint('yellow', 'missing'),
    detail,
  ]);
  return [
    '',
    ...labelled('made', formatTable(made), paint),
    ...labelled('key id', keyId, paint),
    ...labelled('verified', formatTable(proofs), paint),
    ...(notes.length > 0 ? labelled('note', notes.join('\n'), paint) : []),
    ...labelled('next', nextSteps, paint),
  ].join('\n');
}

const nextSteps = `Install the command: npm link (sudo npm link, if npm says EACCES)
Create your own site outside of this checkout: cd ~ && landfall init my-server
The example site cannot be used: its SSH key and its release URL are examples.`;

const labelColumns = 10;

function labelled(label: string, text: string, paint: Paint): string[] {
  return text
    .split('\n')
    .map((line, index) => paint('bold', (index === 0 ? label : '').padEnd(labelColumns)) + line);
}
