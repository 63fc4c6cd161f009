import { useState } from 'preact/hooks';
import { parse, stringify } from 'yaml';
import { isPrivateKey } from '#explain/secret-signs.ts';
import { say } from '../say.ts';
import { valueAt } from './edit-site.ts';
import type { FormField } from './fields.ts';
import type { FormProblem } from './judge-site.ts';

/** The state of the form. */
export interface Form {
  /** The values of the site as they were read. */
  readonly values: unknown;
  readonly problems: readonly FormProblem[];
  readonly onEdit: (path: readonly string[], value: unknown) => void;
}

export interface FieldProps {
  readonly field: FormField;
  readonly form: Form;
}

export interface InputProps extends FieldProps {
  readonly labels: Readonly<Record<string, string | boolean | undefined>>;
}

/** A list of texts, one a line. The text stays as it was typed, with empty lines. */
export function Lines({ field: { path, options, isRequired }, form, labels }: InputProps) {
  const value = valueAt(form.values, path);
  const current = (Array.isArray(value) ? value : [value ?? []].flat()).map(String);
  const [text, setText] = useState('');
  const [refused, setRefused] = useState('');
  const shown = sameLines(text, current) ? text : current.join('\n');
  const edit = (next: string) => {
    setText(next);
    setRefused('');
    const lines = linesOf(next);
    const [only = ''] = lines;
    const isOption = lines.length === 1 && options.includes(only);
    // Without its list, a section would be missing as a whole.
    const isRemoved = lines.length === 0 && !(isRequired && path.length > 1);
    form.onEdit(path, isRemoved ? undefined : isOption ? only : lines);
  };
  return (
    <>
      <textarea
        {...labels}
        rows={Math.max(2, Math.min(6, shown.split('\n').length))}
        spellcheck={false}
        autocomplete="off"
        value={shown}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData('text') ?? '';
          if (!isPrivateKey(pasted)) return;
          event.preventDefault();
          setRefused(
            say(
              'This is a private key: it was not taken over. Paste the public key, from the .pub file.',
              '这是私钥，没有填入。请粘贴公钥，即 .pub 文件的内容。',
            ),
          );
        }}
      />
      <p class="problems" role="alert">
        {refused}
      </p>
    </>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function sameLines(text: string, lines: readonly string[]): boolean {
  return linesOf(text).join('\n') === lines.join('\n');
}

/** What has no form of its own, as YAML. A text that is not YAML stays in the field only. */
export function Yaml({ field: { path }, form, labels }: InputProps) {
  const value = valueAt(form.values, path);
  const current = value === undefined ? '' : stringify(value, { lineWidth: 0 }).trimEnd();
  const [draft, setDraft] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  const edit = (next: string) => {
    setDraft(next);
    try {
      const read: unknown = next.trim() === '' ? undefined : parse(next);
      setBroken(false);
      form.onEdit(path, read ?? undefined);
    } catch {
      setBroken(true);
    }
  };
  return (
    <>
      <textarea
        {...labels}
        rows={3}
        spellcheck={false}
        autocomplete="off"
        value={draft ?? current}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
        onBlur={() => !isBroken && setDraft(undefined)}
      />
      {isBroken && <p class="problems">{say('This is not valid YAML.', '这不是有效的 YAML。')}</p>}
    </>
  );
}
