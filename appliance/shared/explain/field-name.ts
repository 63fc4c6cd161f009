import { inLanguage } from '#contract/text/language.ts';

/** Longer keys are truncated, so that errors stay readable. */
const maxLength = 64;

/** Formats a path: `components.ui.image`, `admin.ssh_keys[1]`. */
export function nameOf(path: ReadonlyArray<PropertyKey>): string {
  if (path.length === 0) return inLanguage({ en: 'the file', zh: '文件' });
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${clipped(String(step))}`))
    .join('')
    .replace(/^\./, '');
}

function clipped(step: string): string {
  return step.length > maxLength ? `${step.slice(0, maxLength)}…` : step;
}
