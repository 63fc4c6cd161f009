import { recordedSuites } from '../suites/suites.ts';
import { problemsOfRecords, readRecords } from './record.ts';

/*
 * node builder/bin/run.mjs test/summary/check-records.ts <folder> <commit>
 *
 * Exits with 1 unless the folder has a green record of every suite for the commit. The release
 * workflow runs it before a build.
 */
const [folder, commit] = process.argv.slice(2);
if (folder === undefined || commit === undefined) {
  console.error('usage: check-records.ts <folder> <commit>');
  process.exitCode = 2;
} else {
  const problems = problemsOfRecords(await readRecords(folder), commit, recordedSuites);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${commit}: ${recordedSuites.length} suites have a green record`);
}
