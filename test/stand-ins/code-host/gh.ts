import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { HostedState } from './gh-stand-in.ts';

/*
 * A stand-in for GitHub's program `gh`: the commands that this project uses, with the options and the
 * output of gh 2.23 and later. Like gh, it needs a token and a repository, and rejects other options.
 */
const { GH_STAND_IN: folder = '', GH_TOKEN, GITHUB_TOKEN, GH_REPO } = process.env;
const statePath = join(folder, 'state.json');
const state = JSON.parse(readFileSync(statePath, 'utf8')) as HostedState;
const [, , group = '', ...rest] = process.argv;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const list = { type: 'string', multiple: true } as const;
const options: Record<string, ParseArgsOptionsConfig> = {
  run: { ref: text, 'raw-field': list },
  issues: { state: text, search: text, json: text, jq: text },
  issue: { title: text, body: text },
  create: { draft: flag, target: text, title: text, notes: text },
  view: { json: text, jq: text },
  upload: { clobber: flag },
  download: { dir: text, pattern: list },
  edit: { draft: text, latest: text, 'notes-file': text },
};

function fail(message: string, code = 1): never {
  console.error(message);
  process.exit(code);
}

if (!GH_TOKEN && !GITHUB_TOKEN) fail('gh: set the GH_TOKEN environment variable', 4);
if (group === 'api') {
  const [, tag = ''] = /\/releases\/([^/]+)\/assets\?per_page=100$/.exec(rest[0] ?? '') ?? [];
  console.log(JSON.stringify(assetsOf(tag)));
} else if (group === 'release') {
  if (!GH_REPO && !existsSync('.git')) fail('fatal: not a git repository');
  runRelease(rest);
} else if (group === 'workflow' && rest[0] === 'run') {
  const { values, positionals } = parsed('run', rest.slice(1));
  const { ref = '', 'raw-field': inputs = [] } = values as { ref?: string; 'raw-field'?: string[] };
  state.runs.push({ workflow: positionals[0] ?? '', ref, inputs });
} else if (group === 'issue' && rest[0] === 'create') {
  const { title = '', body = '' } = parsed('issue', rest.slice(1)).values as Record<string, string>;
  state.issues.push({ title, body });
} else if (group === 'issue' && rest[0] === 'list') {
  const { search, jq } = parsed('issues', rest.slice(1)).values;
  const found = state.issues.filter(({ title }) => search === `in:title "${title}"`);
  console.log(jq === 'length' ? found.length : JSON.stringify(found));
} else fail(`unknown command "${group}" for "gh"`);
writeFileSync(statePath, JSON.stringify(state));

/** @param command its name in `options` */
function parsed(command: string, given: readonly string[]) {
  // gh's optional booleans are `--draft=false`, and `--latest` alone.
  const args = given.map((each) => (each === '--latest' ? '--latest=true' : each));
  const known = options[command] ?? fail(`unknown command "${command}"`);
  return parseArgs({ args, options: known, allowPositionals: true });
}

function runRelease([command = '', ...given]: readonly string[]): void {
  const { values, positionals } = parsed(command, given);
  const [tag = '', ...paths] = positionals;
  if (command === 'create') {
    const { title, notes, target, draft } = values as Record<string, string>;
    const release = { tag, title: title ?? '', notes: notes ?? '', target: target ?? '' };
    state.releases.push({ ...release, isDraft: Boolean(draft), isLatest: null });
    mkdirSync(join(folder, tag), { recursive: true });
    return;
  }
  const release = state.releases.find((each) => each.tag === tag) ?? fail('release not found');
  if (command === 'view') {
    const apiUrl = `https://api.github.com/repos/team/landfall/releases/${tag}`;
    const names = readdirSync(join(folder, tag));
    const assets = names.map((name) => ({ name }));
    const all: Record<string, unknown> = { isDraft: release.isDraft, apiUrl, assets };
    const fields = String(values.json).split(',');
    if (values.jq === '.assets[].name')
      process.stdout.write(names.map((name) => `${name}\n`).join(''));
    else if (values.jq) console.log(all[String(values.jq).slice(1)]);
    else console.log(JSON.stringify(Object.fromEntries(fields.map((name) => [name, all[name]]))));
  } else if (command === 'upload') {
    upload(tag, paths, values.clobber === true);
  } else if (command === 'download') {
    const { dir = '.', pattern = ['*'] } = values as { dir?: string; pattern?: string[] };
    const names = readdirSync(join(folder, tag));
    const chosen = names.filter((name) => pattern.some((each) => matchesGlob(name, each)));
    if (chosen.length === 0) fail('no assets match the file pattern');
    mkdirSync(dir, { recursive: true });
    for (const name of chosen) copyFileSync(join(folder, tag, name), join(dir, name));
  } else {
    if (values.draft) release.isDraft = values.draft === 'true';
    if (values.latest) release.isLatest = values.latest === 'true';
    const file = values['notes-file'];
    if (typeof file === 'string') release.notes = readFileSync(file === '-' ? 0 : file, 'utf8');
  }
}

function upload(tag: string, paths: readonly string[], clobber: boolean): void {
  for (const path of paths) {
    const stored = join(folder, tag, basename(path));
    if (existsSync(stored) && !clobber) fail('asset under the same name already exists');
    copyFileSync(path, stored);
    state.uploads.push(basename(path));
    if (state.damaged) writeFileSync(stored, 'other bytes');
  }
  if (state.failures === 0) return;
  // As when another job has stored the same file meanwhile.
  state.failures -= 1;
  writeFileSync(statePath, JSON.stringify(state));
  fail('HTTP 422: Validation Failed\nReleaseAsset.name already exists');
}

function assetsOf(tag: string): object[] {
  return readdirSync(join(folder, tag)).map((name) => {
    const bytes = readFileSync(join(folder, tag, name));
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    return { name, state: 'uploaded', size: bytes.length, digest };
  });
}
