import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { translated } from '#contract/text/translated.ts';
import type { Credential, CredentialSource } from '../stages/secrets/public.ts';
import { stackCredentials } from '../stages/secrets/secret-values.ts';
import { consoleCredentials } from '../stages/users/console-password.ts';
import { exampleText, type JsonFlag, rootCommand, serverFacts } from './command.ts';

/** In display order. */
const sources: readonly CredentialSource[] = [consoleCredentials, stackCredentials];

/** `landfall credentials`: shows the passwords and keys that were generated on this server. */
export function credentialsCommand() {
  return rootCommand('credentials')
    .description('show the passwords and keys that were generated here')
    .option('--json', 'print them as JSON, also to a file or a pipe')
    .addHelpText('after', exampleText('sudo landfall credentials'))
    .action(showCredentials);
}

async function showCredentials({ json }: JsonFlag): Promise<void> {
  if (!json && !process.stdout.isTTY) {
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: 'standard output is not a terminal', zh: '标准输出不是终端' }),
      {
        hint: {
          en: 'Run `sudo landfall credentials --json` to write the credentials to a file or a pipe.',
          zh: '要写入文件或管道，请运行 `sudo landfall credentials --json`。',
        },
      },
    );
  }
  const { host, site } = await serverFacts();
  const credentials = (await Promise.all(sources.map((source) => source(host, site)))).flat();
  console.log(json ? JSON.stringify(credentials, null, 2) : describeCredentials(credentials));
}

/** Formats one credential per line, with the values in a separate column for easy copying. */
export function describeCredentials(credentials: readonly Credential[]): string {
  if (credentials.length === 0) {
    return inLanguage({
      en: 'No credentials have been generated yet. To see the progress of the first boot: landfall status',
      zh: '尚未生成密码。查看首次启动的进度：landfall status',
    });
  }
  return formatTable(
    credentials.flatMap((credential) => {
      const { value, login, note } = credential;
      const title = titleOf(credential);
      return [
        ...(login ? [[inLanguage({ en: `${title}, email`, zh: `${title}，邮箱` }), login]] : []),
        [login ? inLanguage({ en: `${title}, password`, zh: `${title}，密码` }) : title, value],
        ...(note ? [['', `(${note})`]] : []),
      ];
    }),
  );
}

function titleOf({ name, title }: Credential): string {
  return inLanguage({ en: title, zh: chineseTitles[name] ?? translated(title) });
}

/** By the name of the secret. Others have the name of a client or an account in their title. */
const chineseTitles: Readonly<Record<string, string>> = {
  'console-password': '服务器控制台的密码',
  WEBUI_ADMIN_PASSWORD: '聊天界面管理员',
  TINYPROXY_USERNAME: 'HTTP 代理的用户名',
  TINYPROXY_PASSWORD: 'HTTP 代理的密码',
  RELAY_KEY_OWNER: '您自己的工具用的中继密钥',
};
