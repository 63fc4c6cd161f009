import { displayWidth } from '#contract/text/display-width.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import { translated } from '#contract/text/translated.ts';
import { stateText } from './brief.ts';
import type { BalancerState, EngineState } from './states.ts';
import type { NodeTest } from './test-node.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** A server with its release, and the models that the site lists for it. */
type ListedEngine = EngineState & {
  readonly release?: string | undefined;
  readonly models?: readonly string[];
};

/** Columns of a terminal that the table fits into. */
const maxWidth = 100;
const maxRelease = 10;

/** Formats the servers as a table. */
export function describeEngines({
  servers,
  waiting,
}: Pick<BalancerState, 'waiting'> & { readonly servers: readonly ListedEngine[] }): string {
  const rows = servers.map((server) => [
    server.name,
    stateText(server.state),
    plainLine(server.release ?? '-', maxRelease),
    ...[server.inFlight, server.waiting, server.perMinute, server.failed].map(String),
  ]);
  const heads = say(
    'NAME|STATE|RELEASE|IN FLIGHT|WAITING|PER MIN|FAILED',
    '名称|状态|版本|处理中|等待|每分钟|失败',
  );
  const right = { align: 'right' } as const;
  const lines = alignRows([heads.split('|'), ...rows], [{}, {}, {}, right, right, right, right]);
  const room = maxWidth - 2 - Math.max(...lines.map(displayWidth));
  const models = [
    say('MODELS', '模型'),
    ...servers.map((server) => modelsWithin(server.models, room)),
  ];
  const reasons = servers.flatMap(({ name, state, reason }) => {
    if (reason === undefined) return [];
    const text = plainLine(translated(reason), 200);
    const isDown = state === 'down';
    return [
      say(
        `${name}${isDown ? ' is down' : ''}: ${text}`,
        `${name}${isDown ? ' 不可用' : ''}：${text}`,
      ),
    ];
  });
  return [
    ...lines.map((line, index) => `${line}  ${models[index] ?? ''}`.trimEnd()),
    ...(waiting > 0
      ? [
          say(
            `${waiting} more requests wait for any server.`,
            `另有 ${waiting} 个请求在等待任意一台服务器。`,
          ),
        ]
      : []),
    ...reasons,
  ].join('\n');
}

/** Returns as many names as there is room for, and the number of the others. */
function modelsWithin(models: readonly string[] | undefined, room: number): string {
  const texts = models
    ? models.map((_, index) => {
        const shown = models.length - index;
        return [...models.slice(0, shown), ...(index > 0 ? [`+${index}`] : [])].join(', ');
      })
    : [say('as on this server', '与这台服务器相同')];
  return (
    texts.find((text) => displayWidth(text) <= room) ??
    (models ? `${models.length}` : say('same', '相同'))
  );
}

/** Formats the result of a test. */
export function describeTest({ name, version, model, speed }: NodeTest): string {
  const answer =
    model === undefined
      ? []
      : [
          say(
            `${model} generates ${speed} tokens per second`,
            `${model} 每秒生成 ${speed} 个 token`,
          ),
        ];
  return [`${name}: Ollama ${version}`, ...answer].join(say('; ', '；'));
}
