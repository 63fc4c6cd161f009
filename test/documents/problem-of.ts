import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import { readSelection } from '../suites/selection.ts';
import type { CommandLine } from './command-lines.ts';
import { missingFile } from './files.ts';
import { rejectionOf } from './landfall-call.ts';
import { placeholder } from './split-shell.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Programs of others, whose options these tests do not know. */
const otherPrograms: ReadonlySet<string> = new Set(
  `. aider aliyun apparmor_parser apt-get awk aws az cat cd chmod claude cline cloud-init codex cosign
  curl date docker doctl dpkg du export fail2ban-client gcloud gemini gh git go govc grep grype hauler
  hcloud hf huggingface-cli ip journalctl jq less linode-cli llama-gguf-split llama-server llm man mihomo
  mkdir nft node oci ollama openssl openstack pip printf proxychains4 ps python3 qwen resolvectl restic
  sed sha256sum sing-box skopeo split ssh ssh-keygen systemctl tail tar tccli tr ufw uname
  security update-ca-certificates`.split(/\s+/),
);

/**
 * Returns why a call cannot work as it is documented; undefined if no reason is found.
 * @param made files that other calls of the page write
 */
export async function problemOf(
  line: CommandLine,
  made: ReadonlySet<string> = new Set(),
): Promise<string | undefined> {
  const [program = '', ...args] = line.words;
  const name = program.replace(/^~.*\/bin\//, '');
  if (name === 'landfall') return (await rejectionOf(args, line)) ?? missingFile(line, made);
  // A name alone is no call.
  if (args.length === 0 && !line.complete) return undefined;
  if (name === 'npx') return problemOfPackage(args, line);
  if (name === 'npm') return (await problemOfNpm(args, line)) ?? missingFile(line, made);
  if (!otherPrograms.has(name))
    return line.complete || line.sudo ? 'is no command that the documents use' : undefined;
  if (!line.complete) return undefined;
  const inner = args.indexOf('landfall');
  // A command on a server, over ssh.
  if (name === 'ssh' && inner !== -1) {
    const sudo = args[inner - 1] === 'sudo';
    return rejectionOf(args.slice(inner + 1), { sudo, complete: true });
  }
  return missingFile(line, made);
}

function problemOfPackage([name = '', ...args]: readonly string[], line: CommandLine) {
  if (/^landfall@[\d.]+$/.test(name)) return rejectionOf(args, line);
  return /^wrangler@\d+$/.test(name) ? undefined : 'names another package';
}

const scripts: Readonly<Record<string, string>> = manifest.scripts;

async function problemOfNpm([verb = '', ...rest]: readonly string[], line: CommandLine) {
  if (/^(?:ci|link|pack|install)$/.test(verb)) return undefined;
  const [name = '', separator, ...args] = verb === 'run' ? rest : [verb, ...rest];
  const script = scripts[name];
  if (script === undefined) return `package.json has no such script: ${name}`;
  if (separator !== undefined && separator !== '--') return 'has no -- before the arguments';
  if (name === 'landfall') return rejectionOf(args, line);
  if (name === 'test') return problemOfTests(args);
  const [source = ''] = /\S+\.ts$/.exec(script) ?? [];
  const unknown = flagsOf(args).find(
    (flag) => !readFileSync(`${root}/${source}`, 'utf8').includes(flag),
  );
  return unknown && `${source} has no ${unknown}`;
}

function flagsOf(args: readonly string[]): string[] {
  return args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2));
}

/** Returns why `npm test` would reject the arguments or find no test. */
function problemOfTests(args: readonly string[]): string | undefined {
  const selection = readSelection(args.filter((arg) => arg !== placeholder));
  if (selection === undefined) return 'npm test rejects the arguments';
  const tests = globSync('test/**/*.test.ts', { cwd: root });
  const words = 'suites' in selection.run ? selection.run.words : [];
  const unused = words.find((word) => !tests.some((path) => path.includes(word)));
  return unused && `no test has ${unused} in its path`;
}
