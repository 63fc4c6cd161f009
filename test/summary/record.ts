import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { z } from 'zod';
import { filesOf, type SuiteName } from '../suites/suites.ts';
import type { Outcome } from './tally.ts';

/** Environment variable: the folder of the records; `test/output/records` by default. */
const folderVariable = 'LANDFALL_TEST_RECORDS';

const recordSchema = z.object({
  suite: z.string(),
  /** The tested commit. */
  commit: z.string(),
  /** Whether the working tree had no other changes. */
  clean: z.boolean(),
  passed: z.number(),
  failed: z.number(),
  skips: z.array(z.object({ suite: z.string(), reason: z.string().optional(), tests: z.number() })),
  /** Seconds by test file. */
  files: z.record(z.string(), z.number()),
});

/** What a run of a suite found, for the release of its commit. */
export type SuiteRecord = z.infer<typeof recordSchema>;

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Writes the record of a run of a suite.
 * @param part distinguishes runs of the same suite, such as shards
 * @returns its path
 */
export async function writeRecord(
  suite: SuiteName,
  { passed, failed, skips, files }: Outcome,
  part = '',
): Promise<string> {
  const folder = process.env[folderVariable] || join(root, 'test/output/records');
  await mkdir(folder, { recursive: true });
  const git = async (...args: string[]) =>
    (await execa('git', args, { cwd: root, reject: false })).stdout ?? '';
  const record: SuiteRecord = {
    suite,
    commit: await git('rev-parse', 'HEAD'),
    clean: (await git('status', '--porcelain')) === '',
    ...{ passed, failed, skips: [...skips], files: { ...files } },
  };
  const path = join(folder, `${suite}${part && `-${part}`}.json`);
  await writeFile(path, `${JSON.stringify(record, null, 2)}\n`);
  return path;
}

/**
 * Reads all records of a folder, also of its subfolders.
 * @throws Error when one is no record
 */
export async function readRecords(folder: string): Promise<SuiteRecord[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => name.endsWith('.json'));
  return await Promise.all(
    paths.map(async (path) => {
      const parsed = recordSchema.safeParse(JSON.parse(await readFile(join(folder, path), 'utf8')));
      if (parsed.success) return parsed.data;
      throw new Error(`${path} is not a record of tests`);
    }),
  );
}

/** Returns what keeps a commit from being released: empty if every suite has a green record. */
export function problemsOfRecords(
  records: readonly SuiteRecord[],
  commit: string,
  suites: readonly SuiteName[],
): string[] {
  return suites.flatMap((suite) => {
    const own = records.filter(
      (record) => record.suite === suite && record.commit === commit && record.clean,
    );
    if (own.length === 0) return [`${suite}: no record of ${commit}`];
    const failed = own.reduce((sum, record) => sum + record.failed, 0);
    const ran = new Set(own.flatMap(({ files }) => Object.keys(files)));
    const missing = filesOf(suite).filter((file) => !ran.has(file));
    return [
      ...(failed > 0 ? [`${suite}: ${failed} failed`] : []),
      ...(missing.length > 0 ? [`${suite}: not run: ${missing.join(', ')}`] : []),
    ];
  });
}
