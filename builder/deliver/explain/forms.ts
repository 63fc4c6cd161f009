import type { Text } from '#contract/text/language.ts';

/** A form of user-data that cloud-init knows. */
export interface Form {
  readonly name: 'cloud-config' | 'script' | 'jinja' | 'text' | 'other';
  readonly meaning: Text;
}

const text = (name: Form['name'], en: string, zh: string): Form => ({ name, meaning: { en, zh } });

const config = text('cloud-config', 'settings of cloud-init', 'cloud-init 的设置');
const script = text('script', 'a script that root runs', '由 root 运行的脚本');
const jinja = text(
  'jinja',
  'a Jinja template, whose text cloud-init replaces on the server',
  'Jinja 模板，cloud-init 会在服务器上替换其中的文本',
);
const include = text(
  'other',
  'URLs from which cloud-init downloads other user-data and runs it, without a signature',
  'cloud-init 会从这些地址下载其他 user-data 并运行，没有签名',
);
const hook = text(
  'other',
  'a script that root runs at the beginning of every boot',
  '每次启动时最先由 root 运行的脚本',
);
const handler = text(
  'other',
  'Python code that cloud-init runs as root',
  '由 cloud-init 以 root 运行的 Python 代码',
);
const archive = text('other', 'a list of other user-data', '由其他 user-data 组成的列表');
const patch = text('other', 'changes of other settings', '对其他设置的修改');
const message = text('other', 'a message with parts inside', '包含多个部分的邮件格式');
const unknown = text(
  'other',
  'no form of user-data; cloud-init ignores it',
  '不是 user-data 的格式，cloud-init 会忽略它',
);

/** By the first line. The order matters: cloud-init looks for the longest prefix. */
const byPrefix: ReadonlyArray<readonly [RegExp, Form]> = [
  [/^## template: *jinja/i, jinja],
  [/^#include/i, include],
  [/^#cloud-config-archive/i, archive],
  [/^#cloud-config-jsonp/i, patch],
  [/^#cloud-config/i, config],
  [/^#cloud-boothook/i, hook],
  [/^#part-handler/i, handler],
  [/^#upstart-job/i, hook],
  [/^#!/, script],
];

const byType: Readonly<Record<string, Form>> = {
  'text/cloud-config': config,
  'text/cloud-config-archive': archive,
  'text/cloud-config-jsonp': patch,
  'text/cloud-boothook': hook,
  'text/x-shellscript': script,
  'text/x-shellscript-per-boot': hook,
  'text/x-shellscript-per-instance': script,
  'text/x-shellscript-per-once': script,
  'text/x-include-url': include,
  'text/x-include-once-url': include,
  'text/part-handler': handler,
  'text/jinja2': jinja,
  'text/plain': text('text', 'text', '文本'),
  'text/x-not-multipart': text('text', 'text', '文本'),
};

/** Returns the form of a text by its first line. */
export function formOf(content: string): Form {
  return byPrefix.find(([pattern]) => pattern.test(content))?.[1] ?? unknown;
}

/** Returns the form of a part by its media type, in lower case. */
export function formOfType(type: string): Form {
  if (/^(?:multipart|message)\//.test(type)) return message;
  return (Object.hasOwn(byType, type) && byType[type]) || unknown;
}
