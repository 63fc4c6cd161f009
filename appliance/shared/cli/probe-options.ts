import { Command, Option } from 'commander';
import { mirrorPresetNames } from '#contract/mirror-presets.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';

/** The resolver with DNS over HTTPS that is used by default. Its certificate names the address. */
export const defaultResolver = 'https://1.1.1.1/dns-query';

const probeHelp: Text = {
  en: `
A password of a proxy is never an argument: write only the user, as in http://user@host:port, and set
LANDFALL_PROXY_PASSWORD or enter it at the prompt.
Exit codes: 0 each provider has a route, 5 a provider has none.

Example:
  landfall probe
  landfall probe https://api.openai.com --proxy http://10.0.0.2:7890
`,
  zh: `
代理的密码不能写在参数里：只写用户名，例如 http://user@host:port，密码放在
LANDFALL_PROXY_PASSWORD 中，或在提示时输入。
退出码：0 每个模型服务商都有可用的线路，5 有的没有。

示例：
  landfall probe
  landfall probe https://api.openai.com --proxy http://10.0.0.2:7890
`,
};

/** Returns the definition of `landfall probe`, which finds the route to hosted providers. */
export function probeCommandWith(defaultProxy: string) {
  return (
    new Command('probe')
      .description('test which route reaches the hosted providers')
      .argument(
        '[url...]',
        'base URLs of providers (default: those of the site, else all known ones)',
      )
      // Otherwise it would consume the options of its subcommand.
      .enablePositionalOptions()
      .option('--proxy <url>', `compare with this proxy (default: ${defaultProxy})`)
      .option('--resolver <url>', 'resolver with DNS over HTTPS', defaultResolver)
      .option('--echo <url>', 'service that returns the egress address', 'https://ipinfo.io/ip')
      .option('--json', 'print the result as JSON')
      .addHelpText('after', inLanguage(probeHelp))
  );
}

const hubHelp: Text = {
  en: `
The token is never an argument: set HF_TOKEN, or enter it at the prompt. The request may cost money.
Exit codes: 0 the hub responded, 5 it did not.

Example:
  landfall probe hub
  landfall probe hub org/model --inputs "Hello" --proxy http://10.0.0.2:7890
`,
  zh: `
令牌不能写在参数里：放在 HF_TOKEN 中，或在提示时输入。这个请求可能收费。
退出码：0 模型平台有回应，5 没有。

示例：
  landfall probe hub
  landfall probe hub org/model --inputs "Hello" --proxy http://10.0.0.2:7890
`,
};

const huggingFace = 'https://router.huggingface.co/hf-inference';

/** Returns the definition of `landfall probe hub`, without its action (SPEC 4, E4). */
export function hubCommand(defaultProxy: string, defaultUrl = huggingFace) {
  return new Command('hub')
    .description('send a request for hosted inference to a model hub')
    .argument('[model]', 'the model', 'distilbert/distilbert-base-uncased-finetuned-sst-2-english')
    .option('--url <url>', `URL before /models (default: ${defaultUrl})`)
    .option('--inputs <text>', 'input of the model', 'Landfall works.')
    .option('--proxy <url>', `proxy if direct access fails (default: ${defaultProxy})`)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', inLanguage(hubHelp));
}

const mirrorsHelp: Text = {
  en: `
Each mirror is requested directly, and through the proxy if that fails. Nothing is downloaded.
Exit codes: 0 all mirrors work, 5 one does not.

Example:
  landfall probe mirrors
  landfall probe mirrors --preset ${mirrorPresetNames[0]}
`,
  zh: `
先直接请求每个镜像源，失败时再经过代理。不下载任何内容。
退出码：0 所有镜像源都可用，5 有的不可用。

示例：
  landfall probe mirrors
  landfall probe mirrors --preset ${mirrorPresetNames[0]}
`,
};

/** Returns the definition of `landfall probe mirrors`, without its action. */
export function mirrorsCommand(defaultProxy: string) {
  return new Command('mirrors')
    .description('test the mirrors of the site, or those of a preset')
    .addOption(
      new Option('--preset <name>', 'mirrors of a preset instead').choices(mirrorPresetNames),
    )
    .option('--proxy <url>', `proxy if direct access fails (default: ${defaultProxy})`)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', inLanguage(mirrorsHelp));
}
