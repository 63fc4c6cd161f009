import { writeFile } from 'node:fs/promises';
import { Host } from '../host/host.ts';
import { runCommand } from '../host/run/command.ts';
import { loadFacts } from '../load-facts.ts';
import { junitReport } from '../smoke/junit.ts';
import { runSmoke } from '../smoke/run-smoke.ts';
import { serverTarget } from '../smoke/server/target.ts';
import { smokeTable } from '../smoke/table.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { releaseFolder } from './release-folder.ts';

export const smokeCommand: Command = {
  summary: 'test that everything on this server works together',
  usage: '[--json] [--junit FILE]',
  example: 'sudo landfall smoke --junit results.xml',
  root: true,
  run: async (args) => {
    const { json, junit } = readOptions('smoke', args, {
      json: { type: 'boolean' },
      junit: { type: 'string' },
    });
    const host = new Host('/', runCommand);
    const facts = await loadFacts(host, await releaseFolder());
    const results = await runSmoke(await serverTarget(facts));
    if (junit) await writeFile(junit, junitReport(results));
    console.log(json ? JSON.stringify(results, null, 2) : smokeTable(results));
    if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 11;
  },
};
