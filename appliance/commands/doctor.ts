import { Command, Option } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { currentLanguage, inLanguage, type Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import { LiveProgress } from '#terminal/live-progress.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { canRedraw } from '#terminal/screen.ts';
import { wrapFor } from '#terminal/wrap-for.ts';
import { allChecks } from '../operations/doctor/all-checks.ts';
import { type FixResult, fixCauses } from '../operations/doctor/apply-fixes.ts';
import { boundedHost } from '../operations/doctor/bounded-host.ts';
import { type Diagnosis, diagnose, diagnosisToJson } from '../operations/doctor/diagnosis.ts';
import type { FixTools } from '../operations/doctor/finding.ts';
import { pages } from '../operations/doctor/pages.ts';
import { renderDiagnosis } from '../operations/doctor/render-diagnosis.ts';
import { readSubject, runChecks } from '../operations/doctor/run-checks.ts';
import { Host } from '../server/host/host.ts';
import { takeChangeLock } from '../server/host/lock/run-lock.ts';
import { runCommand } from '../server/host/run/command.ts';
import { loadFacts } from '../server/load-facts.ts';
import { Journal } from '../server/stage/journal.ts';
import { type Reporter, silentReporter } from '../server/stage/reporter.ts';
import { runAlone } from '../server/stage/run-stages.ts';
import { stages } from '../stages/first-boot.ts';
import {
  consoleReporter,
  type JsonFlag,
  releaseFolder,
  requireRoot,
  serverFacts,
} from './command.ts';

/** Exit code of a run with findings. */
const hasFindings = 12;
/** Seconds. Programs are killed before the checks that wait for them are given up. */
const limits = { programs: 23, checks: 24 } as const;

interface Flags extends JsonFlag {
  readonly fix?: boolean;
  readonly yes?: boolean;
  readonly symptom?: string;
}

const help: Text = {
  en: `
Exit codes: 0 no findings, 12 findings. Without root, it shows what it could not check.

Example:
  sudo landfall doctor
  sudo landfall doctor --fix
  landfall doctor --symptom list
`,
  zh: `
退出码：0 没有发现问题，12 发现问题。没有 root 权限时，会说明哪些项目
无法检查。

示例：
  sudo landfall doctor
  sudo landfall doctor --fix
  landfall doctor --symptom list
`,
};

/** `landfall doctor`: finds known faults of this server, and their remedies. */
export function doctorCommand() {
  const names = ['list', ...pages.en.symptoms.map(({ name }) => name)];
  return new Command('doctor')
    .description('find known faults of this server, with the remedy for each')
    .option('--fix', 'apply the fixes that are safe; asks for each')
    .option('--yes', 'with --fix: do not ask')
    .addOption(new Option('--symptom <name>', 'print the remedies for what you see').choices(names))
    .option('--json', 'print the findings, or the symptom, as JSON')
    .addHelpText('after', inLanguage(help))
    .action(doctor);
}

async function doctor({ fix = false, yes = false, symptom, json = false }: Flags): Promise<void> {
  if (symptom !== undefined) return showSymptom(symptom, json);
  if (fix) requireFixable(yes, json);
  const before = await examine();
  if (!fix) return finish(before, [], json);
  if (!json && before.findings.length > 0) console.log(`${describe(before)}\n`);
  const tools = fixTools(json ? silentReporter : consoleReporter);
  const { results, after } = await fixCauses(before, examine, tools, async (fix) => {
    const does = inLanguage(fix.does);
    const accepted = yes || (await askToConfirm(inLanguage({ en: `${does}?`, zh: `${does}？` })));
    if (accepted && !json) console.log(`${inLanguage({ en: 'fix', zh: '修复' })}: ${does}`);
    return accepted;
  });
  if (!json) for (const result of results) console.log(describeFix(result));
  finish(after, results, json);
}

/**
 * Prints the section of a symptom in docs/doctor.md.
 * @param name a name of the table, or `list`
 */
function showSymptom(name: string, json: boolean): void {
  const all = pages[currentLanguage()].symptoms;
  const symptom = all.find((each) => each.name === name);
  const list = all.map(({ name: each, title }) => ({ name: each, title }));
  if (json) console.log(JSON.stringify(symptom ?? list, null, 2));
  else if (symptom) console.log(`${symptom.title}\n\n${symptom.text}`);
  else console.log(alignRows(list.map((each) => [each.name, each.title])).join('\n'));
}

/** @throws LandfallError NOT_ROOT, USAGE */
function requireFixable(yes: boolean, json: boolean): void {
  requireRoot('landfall doctor --fix');
  if (yes || (!json && process.stdin.isTTY && process.stderr.isTTY)) return;
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: 'landfall doctor --fix asks for each fix on a terminal',
      zh: 'landfall doctor --fix 会在终端中逐项提问',
    }),
    {
      hint: {
        en: 'Add --yes to apply all safe fixes without questions.',
        zh: '加上 --yes，不提问就执行所有安全的修复。',
      },
    },
  );
}

async function examine(): Promise<Diagnosis> {
  const host = boundedHost('/', runCommand, limits.programs);
  const { context, finding } = await readSubject(async () =>
    loadFacts(host, await releaseFolder()),
  );
  const checks = allChecks(stages);
  const isRoot = process.getuid?.() === 0;
  const { stderr, env } = process;
  const live = canRedraw(stderr, env) ? new LiveProgress(stderr) : undefined;
  const row = live?.start({
    label: inLanguage({ en: 'checking', zh: '正在检查' }),
    done: 0,
    total: checks.length,
    unit: 'checks',
  });
  const subject = { host, isRoot, context };
  const results = await runChecks(checks, subject, limits.checks, () => row?.advance(1));
  row?.end();
  return diagnose(results, finding ? [finding] : []);
}

/** Prints the result. Ends the process, because a check that hangs would keep it alive. */
function finish(diagnosis: Diagnosis, fixes: readonly FixResult[], json: boolean): void {
  const text = json
    ? JSON.stringify({ ...diagnosisToJson(diagnosis), fixes: fixes.map(fixToJson) }, null, 2)
    : describe(diagnosis);
  process.exitCode = diagnosis.findings.length > 0 ? hasFindings : 0;
  const hangs = diagnosis.findings.some(({ code }) => code === 'CHECK_TIMED_OUT');
  process.stdout.write(`${text}\n`, () => (hangs ? process.exit() : undefined));
}

function describe(diagnosis: Diagnosis): string {
  return wrapFor(process.stdout, renderDiagnosis(diagnosis, paintFor(process.stdout, process.env)));
}

function describeFix(result: FixResult): string {
  const { outcome, error, remaining = [] } = result;
  const line = `${inLanguage(outcomes[outcome])}: ${inLanguage(result.does)}`;
  if (outcome === 'failed') return formatError(error, { label: `${line}:` });
  if (outcome !== 'ineffective') return line;
  const texts = remaining.map(({ text }) => plainLine(inLanguage(text), 500)).join('; ');
  return `${line}; ${inLanguage({ en: 'still found', zh: '问题仍在' })}: ${texts}`;
}

const outcomes: Readonly<Record<FixResult['outcome'], Text>> = {
  applied: { en: 'done', zh: '完成' },
  ineffective: { en: 'not fixed', zh: '未修复' },
  declined: { en: 'not done', zh: '未执行' },
  failed: { en: 'failed', zh: '失败' },
};

function fixToJson({ does, outcome, error }: FixResult): object {
  return { does: does.en, outcome, ...(error ? { code: error.code, message: error.message } : {}) };
}

function fixTools(report: Reporter): FixTools {
  return {
    host: new Host('/', runCommand),
    runStage: async (name) => {
      const stage = stages.find((each) => each.name === name);
      if (!stage) throw new TypeError(`no such stage: ${name}`);
      const facts = await serverFacts();
      const lock = await takeChangeLock(facts.host, (line) => report.say(line));
      try {
        await runAlone(stage, { ...facts, report }, new Journal(facts.host));
      } finally {
        await lock.release();
      }
    },
  };
}

/** Prompts on stderr, so that stdout has the result only. */
async function askToConfirm(message: string): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  const { stdin: input, stderr: output } = process;
  const answer = await confirm({ message, initialValue: false, input, output });
  if (typeof answer === 'boolean') return answer;
  // A prompt reads Ctrl-C itself, so no signal arrives.
  process.kill(process.pid, 'SIGINT');
  return await new Promise(() => {});
}
