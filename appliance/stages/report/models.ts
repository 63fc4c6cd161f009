import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { chosenStates } from '../models/public.ts';
import type { Report } from './report.ts';

/** Returns the configured models and whether each is present. @throws LandfallError COMMAND_FAILED */
export async function modelsOf(
  context: Parameters<typeof chosenStates>[0],
): Promise<Report['models']> {
  return (await chosenStates(context)).map(({ model: { name, size }, present }) => ({
    name,
    size,
    present,
  }));
}

/** Returns one line per model: its size, and the download command for a missing one. */
export function modelLines({
  models,
  hostedOnly,
  context,
  language,
}: Pick<Report, 'models' | 'hostedOnly' | 'context' | 'language'>): string[] {
  const missing = inLanguage(
    { en: 'missing; to download it, run:', zh: '缺失；要下载，请运行：' },
    language,
  );
  const lines = models.map(({ name, size, present }) => {
    const known = size === null ? name : `${name}  ${formatBytes(size)}`;
    return present ? known : `${known}  ${missing} ${pullCommand(name)}`;
  });
  const length =
    context === null || lines.length === 0
      ? []
      : [
          inLanguage(
            { en: `${context} tokens in a conversation`, zh: `一次对话最多 ${context} 个 token` },
            language,
          ),
        ];
  return [...(hostedOnly === null ? [] : [hostedOnly]), ...lines, ...length];
}

/** Returns the command that downloads a model or resumes the download. */
export function pullCommand(name: string): string {
  return `sudo landfall models pull ${name}`;
}
