import { describe, expect, it } from 'vitest';
import type { Lock, LockedImage } from '../../../../../builder/inputs/lock/lock.ts';
import {
  advisoriesMarkdown,
  readReport,
  scanLocks,
} from '../../../../../builder/publish/release/advisories/advisories.ts';

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const image = (name: string, index: string): LockedImage =>
  ({ image: name, index, platforms: {} }) as LockedImage;
const lockOf = (images: Record<string, LockedImage>) => ({ images }) as unknown as Lock;
const match = (id: string, severity: string, name: string) => ({
  vulnerability: { id, severity, dataSource: 'https://example.com' },
  artifact: { name, version: '1' },
});
const report = (...matches: object[]) => JSON.stringify({ matches, source: {} });

const reports: Readonly<Record<string, string>> = {
  [`registry:nginx:1@${digest('a')}`]: report(
    match('CVE-2026-0001', 'Low', 'musl'),
    match('CVE-2026-0002', 'Critical', 'openssl'),
    match('CVE-2026-0002', 'Critical', 'openssl'),
  ),
  [`registry:nginx:1@${digest('b')}`]: report(
    match('CVE-2026-0001', 'Low', 'musl'),
    match('CVE-2026-0003', 'Strange', 'a|b @team'),
  ),
  [`registry:same:1@${digest('c')}`]: report(),
};

async function scan() {
  const asked: string[] = [];
  const before = lockOf({
    gateway: image('nginx:1', digest('a')),
    ui: image('same:1', digest('c')),
    chat: image('chat:1', 'unresolved'),
  });
  const after = lockOf({
    gateway: image('nginx:1', digest('b')),
    ui: image('same:1', digest('c')),
    chat: image('chat:1', digest('d')),
    lobe: image('lobe:1', digest('d')),
  });
  const scanned = await scanLocks(before, after, async ([reference = '']) => {
    asked.push(reference);
    return reports[reference] ?? '';
  });
  return { ...scanned, asked };
}

describe('the scan of two lock files', () => {
  it('finds fixed, new and remaining advisories, and counts duplicates once', async () => {
    const [gateway, ui] = (await scan()).changes;
    expect(gateway?.fixed.map(({ id }) => id)).toEqual(['CVE-2026-0002']);
    expect(gateway?.added).toMatchObject([{ id: 'CVE-2026-0003', severity: 'Unknown' }]);
    expect(gateway?.remaining.map(({ id }) => id)).toEqual(['CVE-2026-0001']);
    expect(ui).toEqual({ component: 'ui', fixed: [], added: [], remaining: [] });
  });

  it('scans images by digest, each once, and skips those without one', async () => {
    const { asked, skipped } = await scan();
    expect(asked).toEqual(Object.keys(reports));
    expect(skipped).toEqual(['chat', 'lobe']);
  });

  it('formats the scan of two lock files for a pull request, with names as code', async () => {
    const { changes, skipped } = await scan();
    const text = advisoriesMarkdown(changes, skipped);
    expect(text).toContain('| `gateway` | 1 | 1 | 1 |');
    expect(text).toContain('### Fixed\n\n- CVE-2026-0002 (Critical): `openssl` in `gateway`');
    expect(text).not.toContain('| b @team');
    expect(text).toContain('Not scanned: `chat`, `lobe`.');
  });
});

describe('a report of grype', () => {
  it.each(['', '{}', report(match('<script>', 'Low', 'musl'))])(
    'rejects a report of grype: %j',
    (text) => {
      expect(() => readReport(text)).toThrow('the scanner printed no report');
    },
  );
});
