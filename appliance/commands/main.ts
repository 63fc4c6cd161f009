import './young-generation.ts';
import { endWithReader } from '#cli/end-with-reader.ts';
import { runProgram } from '#cli/run-program.ts';
import { setLanguage } from '#contract/text/language.ts';
import { setTimeZone } from '#contract/text/time-zone.ts';
import { setChineseRows } from '#contract/text/translated.ts';
import { commandLocale } from '../server/host/command-locale.ts';
import { formatServerError, serverProgram } from './program.ts';

// `landfall` on the server, installed in the release as `program/landfall.mjs`.

// Only for this program: the command that starts it sets it.
delete process.env.NODE_COMPILE_CACHE;
// Public files must be readable regardless of the caller's umask.
process.umask(0o022);
endWithReader(process.stdout, process.stderr);
const { language, timezone } = await commandLocale('/', process.env);
if (language === 'zh') setChineseRows((await import('./chinese/rows.ts')).serverRows);
setLanguage(language);
setTimeZone(timezone);
const args = process.argv.slice(2);
const code = await runProgram(
  serverProgram(process),
  args.length === 0 ? ['overview'] : args,
  process,
  formatServerError,
);
// A successful command may have set its own exit code.
if (code !== 0) process.exitCode = code;
