import type { Release } from '#contract/bundle/release.ts';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { fieldsUnlikeDefaults } from '#contract/site/brief-site.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { inLanguage, say, type Text } from '#contract/text/language.ts';
import { type Paint, unpainted } from '#contract/text/paint.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { descriptionOf, schemaAt } from '#explain/schema-at.ts';
import { shownValue } from '#explain/shown-value.ts';
import { commentOf } from '#explain/site-notes.ts';
import { type Row, shownUrl } from './describe-contacts.ts';
import { describeSite } from './describe-site.ts';
import type { Explanation } from './explain-paste.ts';
import type { ComparedScript } from './scripts.ts';

/** An explanation for people. */
interface Description {
  /** A table: what the user-data does. */
  readonly facts: string;
  /** Sentences: the fields of the site, the findings and the result. */
  readonly sentences: string;
}

/** Describes user-data in the language of the process. */
export function describeExplanation(
  explanation: Explanation,
  paint: Paint = unpainted,
): Description {
  const { facts, findings } = explanation;
  return {
    facts: formatTable(explanationRows(explanation)),
    sentences: [
      ...(facts.site ? fieldSection(facts.site, paint) : []),
      ...(findings.length > 0
        ? [
            paint(
              'bold',
              say(
                'What Landfall would not write, or cannot compare',
                'Landfall 不会写入，或无法比较的内容',
              ),
            ),
            ...findings.map(({ line, text }) => {
              const place = line === undefined ? '' : say(`line ${line}: `, `第 ${line} 行：`);
              return `  ${paint('yellow', '!')} ${place}${inLanguage(text)}`;
            }),
            '',
          ]
        : []),
      result(explanation, paint),
    ].join('\n'),
  };
}

/** Describes a site that is not in user-data yet. */
export function describeSiteFile(
  site: Site,
  release: Release | undefined,
  paint: Paint,
): Description {
  const toDo = say(
    'This is a site. Make user-data of it with `landfall user-data`.',
    '这是站点配置。用 `landfall user-data` 从它生成 user-data。',
  );
  return {
    facts: formatTable(describeSite(site, { release })),
    sentences: [...fieldSection(site, paint), toDo].join('\n'),
  };
}

function fieldSection(site: Site, paint: Paint): string[] {
  const fields = fieldLines(site, paint);
  if (fields.length === 0) return [];
  const heading = say('Fields that differ from the defaults', '与默认值不同的字段');
  return [paint('bold', heading), ...fields, ''];
}

/**
 * Returns what user-data does, as labels with values.
 * @param memory of the server in GB; undefined: every usual size is described
 */
export function explanationRows(explanation: Explanation, memory?: number): Row[] {
  const { facts, release } = explanation;
  const { site } = facts;
  return [...headRows(explanation), ...(site ? describeSite(site, { release, memory }) : [])];
}

function headRows({ format, facts, scripts }: Explanation): Row[] {
  const { boot, keys, sources } = facts;
  const pinned = Object.keys(boot.manifests) as Architecture[];
  return [
    [
      say('format', '格式'),
      format === 'other' ? say('not of Landfall', '不是 Landfall 的格式') : format,
    ],
    ...(boot.product === undefined || boot.version === undefined
      ? []
      : [
          [
            say('release', '版本'),
            `${boot.product} ${boot.version} (${pinned.join(', ')})`,
          ] as const,
        ]),
    ...keys.map(
      ({ role, key }): Row => [
        say('trusts', '信任'),
        `${formatKeyId(key.id)}  (${role === 'release' ? say('release key', '发布公钥') : say('recovery key', '恢复公钥')})`,
      ],
    ),
    ...scripts.map(
      ({ name, sha256 = '-', state }): Row => [
        say('script', '脚本'),
        `${sha256}  ${name}  ${inLanguage(states[state])}`,
      ],
    ),
    ...sources.map(
      ({ url, via }): Row => [
        say('downloads', '下载'),
        `${say('release', '版本')}: ${shownUrl(url)}${via === undefined ? '' : say(` through ${shownUrl(via)}`, `，经过 ${shownUrl(via)}`)}`,
      ],
    ),
  ];
}

const states: Readonly<Record<ComparedScript['state'], Text>> = {
  released: { en: 'as released', zh: '与版本一致' },
  changed: { en: 'CHANGED', zh: '已被更改' },
  'not-compared': { en: 'cannot be compared', zh: '无法比较' },
  missing: { en: 'missing', zh: '缺少' },
};

/** Returns each field with its value and its meaning. In Chinese, a section has one meaning. */
function fieldLines(site: Site, paint: Paint): string[] {
  let section = '';
  return fieldsUnlikeDefaults(site).flatMap(({ field, after }) => {
    const path = field.split('.');
    const [name = ''] = path;
    const isNew = name !== section;
    section = name;
    const comment = commentOf(name as keyof Site);
    const en = descriptionOf(schemaAt(siteSchema, path, site)) ?? comment.en;
    const zh = isNew ? comment.zh.replaceAll('\n', '') : '';
    const meaning = inLanguage({ en, zh });
    return [
      `  ${plainLine(field)}  ${shownValue(after)}`,
      ...(meaning === '' ? [] : [`      ${paint('dim', meaning.replaceAll('\n', ' '))}`]),
    ];
  });
}

function result({ findings, isCompared }: Explanation, paint: Paint): string {
  if (findings.length === 0) {
    return `${paint('green', say('plain', '没有问题'))}: ${say(
      'byte for byte what Landfall writes for this site and this release',
      '与 Landfall 为这个站点和版本写入的内容逐字节相同',
    )}`;
  }
  const count = say(
    `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}: read each of them before you paste this`,
    `${findings.length} 个问题：粘贴之前请逐条查看`,
  );
  const advice = say(
    'To compare the scripts and keys with a release, add --release with its bundle or release.json.',
    '要与版本比较脚本和公钥，请加上 --release 和它的发布包或 release.json。',
  );
  return [paint('yellow', count), ...(isCompared ? [] : [advice])].join('\n');
}
