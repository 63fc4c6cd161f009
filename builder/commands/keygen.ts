import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { keyFolder, releaseKeyName } from '../bundle/sign/key-folder.ts';
import { passphraseVariable } from '../bundle/sign/passphrase-variable.ts';
import type { CommandContext } from './context.ts';
import { askSecret } from './prompts.ts';

const example = {
  en: `
Example:
  landfall keygen                           create the key pair that signs your releases
  landfall keygen --name recovery --passphrase
                                            create a recovery key; keep it offline
  landfall keygen --output /media/usb/release

Keys are stored in $XDG_CONFIG_HOME/landfall/keys (default: ~/.config/landfall/keys), outside of
projects, so that they are not committed by mistake. Other commands read release.key and release.pub
from there. Without a terminal, the passphrase is read from ${passphraseVariable}.
`,
  zh: `
示例：
  landfall keygen                           生成为版本签名的密钥对
  landfall keygen --name recovery --passphrase
                                            生成恢复密钥；请离线保存
  landfall keygen --output /media/usb/release

密钥存放在 $XDG_CONFIG_HOME/landfall/keys（默认：~/.config/landfall/keys），在项目之外，不会误提交。
其他命令从那里读取 release.key 和 release.pub。没有终端时，口令取自 ${passphraseVariable}。
`,
};

/** `landfall keygen`: creates an ECDSA P-256 key pair. */
export function keygenCommand(context: CommandContext) {
  return definition().action((flags) => keygen(context, flags));
}

const definition = () =>
  new Command('keygen')
    .description('create a key pair that signs releases')
    .option('--name <name>', 'name of the key pair in the key folder', releaseKeyName)
    .addOption(
      new Option(
        '--output <path>',
        'write <path>.key and <path>.pub instead of using the key folder',
      ).conflicts('name'),
    )
    .option('--passphrase', 'encrypt the private key with a passphrase')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', inLanguage(example));

type KeygenFlags = OptionsOf<typeof definition>;

/** Writes a new ECDSA P-256 key pair. @throws LandfallError KEY_PASSPHRASE, and those of files */
async function keygen(context: CommandContext, flags: KeygenFlags): Promise<void> {
  const { formatKeyId } = await import('#contract/trust/keys.ts');
  const { printWarnings } = await import('../base/progress/reporter.ts');
  const { wrapFor } = await import('#terminal/wrap-for.ts');
  const { generateKey } = await import('../bundle/sign/generate-key.ts');
  const { writeKeyPair } = await import('../bundle/sign/key-pair-files.ts');
  const { cwd, env, stdout } = context;
  const base =
    flags.output === undefined
      ? join(keyFolder(env), checkedName(flags.name))
      : resolve(cwd, flags.output);
  const pair = generateKey(flags.passphrase ? await newPassphrase(context) : undefined);
  const { privateKey, publicKey, workTree } = await writeKeyPair(base, pair, env);
  const keyId = pair.public.id;
  const warnings = workTree === undefined ? [] : [inWorkTree(privateKey, workTree, keyFolder(env))];
  if (flags.json) {
    stdout.write(`${JSON.stringify({ privateKey, publicKey, keyId, warnings })}\n`);
    return;
  }
  printWarnings(context, warnings);
  const result = {
    en: `private key  ${privateKey}  (keep it secret: it signs releases)
public key   ${publicKey}  (publish it)
key id       ${formatKeyId(keyId)}  (publish it on a second site, so that users can compare it)`,
    zh: `私钥      ${privateKey}  （请保密：它为版本签名）
公钥      ${publicKey}  （请公布）
密钥指纹  ${formatKeyId(keyId)}  （请在另一个网站公布，供用户核对）`,
  };
  const next = nextStep(flags.output === undefined ? flags.name : undefined);
  stdout.write(`${wrapFor(stdout, `${inLanguage(result)}\n${next}`)}\n`);
}

/** Returns what is easily forgotten: servers accept no other key than those that they know. */
function nextStep(name: string | undefined): string {
  if (name === 'recovery')
    return inLanguage({
      en: `
Move the private key off this computer, to two places that are not online, and name the public key in
appliance.yaml: trust.recovery.`,
      zh: `
请把私钥从这台电脑移到两个离线的位置，并在 appliance.yaml 的 trust.recovery 中写入公钥。`,
    });
  return inLanguage({
    en: `
Copy the private key to a second place now, such as an encrypted USB stick: a lost key cannot be replaced.
The way back from a lost or stolen key is a recovery key: landfall keygen --name recovery --passphrase`,
    zh: `
请立即把私钥复制到另一个位置，例如加密的 U 盘：丢失的密钥无法补发。
密钥丢失或被盗时要靠恢复密钥：landfall keygen --name recovery --passphrase`,
  });
}

/** Rejects paths: a name is a file in the key folder. @throws LandfallError USAGE */
function checkedName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
  throw new LandfallError('USAGE', '--name is not a valid key name', {
    hint: {
      en: 'Use letters, digits, dots, dashes and underscores; use --output for another folder.',
      zh: '使用字母、数字、点、连字符和下划线；换文件夹请用 --output。',
    },
  });
}

function inWorkTree(key: string, workTree: string, elsewhere: string): string {
  return inLanguage({
    en: `${key} is in the git work tree ${workTree}, and only .gitignore prevents a commit. Move it to ${elsewhere}.`,
    zh: `${key} 在 git 工作区 ${workTree} 中，只有 .gitignore 阻止它被提交。请移到 ${elsewhere}。`,
  });
}

/** @throws LandfallError KEY_PASSPHRASE when none can be read, or the two inputs differ */
async function newPassphrase(context: CommandContext): Promise<string> {
  const { [passphraseVariable]: passphrase } = context.env;
  if (passphrase) return passphrase;
  if (!context.interactive) {
    throw new LandfallError('KEY_PASSPHRASE', 'cannot prompt for a passphrase: not a terminal', {
      hint: `Set the environment variable ${passphraseVariable}, or run this on a terminal.`,
    });
  }
  const first = await askSecret(context, inLanguage({ en: 'New passphrase', zh: '新口令' }));
  const second = await askSecret(
    context,
    inLanguage({ en: 'Repeat the passphrase', zh: '再次输入口令' }),
  );
  if (first === second) return first;
  throw new LandfallError('KEY_PASSPHRASE', 'the two inputs of the passphrase differ', {
    hint: { en: 'Try again; nothing was written.', zh: '请重试；没有写入任何内容。' },
  });
}
