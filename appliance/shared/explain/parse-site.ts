import type { z } from 'zod';
import { type FieldProblem, LandfallError, type Problem } from '#contract/errors.ts';
import { checkSite } from '#contract/site/rules.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { flawOfSshKey } from '#contract/site/ssh-public-key.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import type { YamlFile } from '#yaml/parse.ts';
import { explain, inOrder, locate } from './explain.ts';
import { nameOf } from './field-name.ts';
import { isSecretName, secretLooks } from './secret-signs.ts';
import { validFields } from './valid-fields.ts';

export interface SiteOptions {
  /** Allow a proxy password in route.url, with a warning. */
  readonly allowRoutePassword?: boolean | undefined;
  /** What describes every field, for hints. Default: a page of the documentation. */
  readonly reference?: string | undefined;
  /** Receives warnings for the user. */
  readonly note?: ((line: string) => void) | undefined;
}

/**
 * Returns the site that a file describes. Rejects secrets, placeholders, invalid fields and
 * contradictions between fields.
 * @throws LandfallError SITE_SECRET, CONFIG_INVALID
 */
export function parseSite(file: YamlFile, options: SiteOptions = {}): Site {
  refuseSecrets(file, new Set(options.allowRoutePassword ? proxyFields : []));
  const parsed = siteSchema.safeParse(file.value);
  const problems = problemsOf(file, parsed.error);
  if (!parsed.success || problems.length > 0) throw invalid(file, problems, options);
  const site = applyVariables(parsed.data);
  warnOfPassword(site, options);
  return site;
}

/** The fields whose URL may contain a password, if allowed. */
const proxyFields = [
  'route.url',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => `variables.${name}`),
];

/** Returns all problems in the order of the file. A placeholder is reported only once. */
function problemsOf(file: YamlFile, error: z.ZodError | undefined): Problem[] {
  const unfilled = findPlaceholders(file);
  const positions = new Set(unfilled.map(({ line, column }) => `${line}:${column}`));
  const invalidFields = error ? explain(error, file, siteSchema) : [];
  const valid = validFields(siteSchema, file.value);
  const conflicts = locate([...checkKeys(valid), ...checkSite(valid)], file);
  const others = invalidFields.filter(({ line, column }) => !positions.has(`${line}:${column}`));
  return inOrder([...unfilled, ...others, ...conflicts]);
}

const siteReference = { en: 'site.md of the documentation', zh: 'Landfall 文档 site.md' };

function notValid(path: string): Text {
  return { en: `${path} is not a valid site`, zh: `${path} 不是有效的站点配置` };
}

function invalid(
  { path }: YamlFile,
  problems: readonly Problem[],
  { reference = inLanguage(siteReference) }: SiteOptions,
): LandfallError {
  return new LandfallError('CONFIG_INVALID', inLanguage(notValid(path)), {
    hint: {
      en: `Fix the problems above. ${reference} describes every field.`,
      zh: `按上面的说明逐条修改。每个字段的说明见 ${reference}。`,
    },
    problems,
  });
}

function warnOfPassword({ route }: Site, { note }: SiteOptions): void {
  if (!('url' in route) || new URL(route.url).password === '') return;
  note?.(
    inLanguage({
      en: 'route.url contains a password. The provider, its backups, every process on the server and every container with access to the metadata service can read it. Use a password that is valid only for this proxy, and change it when the server is set up.',
      zh: 'route.url 含有密码。云服务商、它的备份、服务器上的每个进程和能访问元数据服务的容器都能读到。请使用只对这个代理有效的密码，并在服务器就绪后更换。',
    }),
  );
}

/** Checks the SSH keys of a site. Returns every problem. */
export function checkKeys({ admin }: Partial<Site>): FieldProblem[] {
  return (admin?.ssh_keys ?? []).flatMap((line, index) => {
    const flaw = flawOfSshKey(line);
    if (!flaw) return [];
    const name = `admin.ssh_keys[${index}]`;
    return [
      { at: ['admin', 'ssh_keys', index], message: `${name} ${flaw.message}`, hint: flaw.hint },
    ];
  });
}

/** `<DOMAIN>`, `{mirror_url}`, `CHANGE_ME`: placeholders of templates. */
const placeholder =
  /<[A-Za-z][\w .-]*>|\{\{? ?[A-Za-z][\w .-]*\}?\}|\b(?:CHANGE|REPLACE|FILL)[_-]?ME\b/i;
/** Only in upper case: in lower case it may be part of a name. */
const replaceWord = /\bREPLACE\b/;

/** Returns a problem for each value with a placeholder. */
function findPlaceholders(file: YamlFile): Problem[] {
  const problems = scalarsIn(file.value).flatMap(({ at, text }) => {
    const found = (placeholder.exec(text) ?? replaceWord.exec(text))?.[0];
    if (!found) return [];
    const message = inLanguage({
      en: `${nameOf(at)} contains the placeholder ${found}`,
      zh: `${nameOf(at)}：含有占位符 ${found}`,
    });
    return [
      {
        at,
        message,
        hint: inLanguage({
          en: 'Replace it with your own value, or remove the key.',
          zh: '换成您自己的值，或删除这个字段。',
        }),
      },
    ];
  });
  return locate(problems, file);
}

type Path = ReadonlyArray<string | number>;

/** Returns every text and number below a value, with its path. */
function scalarsIn(value: unknown, at: Path = []): { at: Path; text: string }[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ at, text: String(value) }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    scalarsIn(inner, [...at, Array.isArray(value) ? Number(key) : key]),
  );
}

/**
 * Rejects a site that contains secrets: it becomes user-data, which the provider, every process on
 * the server and often every container can read. Errors never contain the secret.
 * @param allowed paths (`route.url`) whose URL may contain a password
 * @throws LandfallError SITE_SECRET with every field
 */
function refuseSecrets(file: YamlFile, allowed: ReadonlySet<string>): void {
  const problems = scalarsIn(file.value).flatMap(({ at, text }) => {
    const isNamed = at.some((key) => typeof key === 'string' && isSecretName(key));
    const what = isNamed && text !== '' ? named : secretLooks(text);
    if (!what || allowed.has(nameOf(at))) return [];
    const message = inLanguage({ en: `${nameOf(at)} ${what.en}`, zh: `${nameOf(at)}：${what.zh}` });
    return [{ at, message, hint: adviceFor(at) }];
  });
  if (problems.length === 0) return;
  const message = `${file.path} contains secrets, which are not allowed in user-data`;
  throw new LandfallError('SITE_SECRET', message, {
    hint: 'Remove them. The server generates its own secrets; set provider keys on it after the first boot.',
    problems: locate(problems, file),
  });
}

const named: Text = { en: 'contains a secret', zh: '含有机密' };

function adviceFor(at: Path): string {
  if (nameOf(at) === 'route.url') {
    return inLanguage({
      en: 'If the proxy requires a password, pass --allow-route-password and read its warning.',
      zh: '如果代理需要密码，请加上 --allow-route-password，并阅读它的警告。',
    });
  }
  if (at[0] === 'admin' && at[1] === 'ssh_keys')
    return inLanguage({
      en: 'Use the public key: the content of the .pub file next to your private key.',
      zh: '请使用公钥：私钥旁边 .pub 文件的内容。',
    });
  return inLanguage({
    en: 'Remove it here and set it on the server with `landfall secret set`.',
    zh: '在这里删除它，并在服务器上用 `landfall secret set` 设置。',
  });
}
