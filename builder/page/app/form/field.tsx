import { useState } from 'preact/hooks';
import { parse, stringify } from 'yaml';
import { isPrivateKey } from '#explain/secret-signs.ts';
import { RichText } from '../rich-text.tsx';
import { say } from '../say.ts';
import { valueAt } from './edit-site.ts';
import type { FormField } from './fields.ts';
import { type FormProblem, problemsOf } from './judge-site.ts';

/** The state of the form. */
export interface Form {
  /** The values of the site as they were read. */
  readonly values: unknown;
  readonly problems: readonly FormProblem[];
  readonly onEdit: (path: readonly string[], value: unknown) => void;
}

interface FieldProps {
  readonly field: FormField;
  readonly form: Form;
}

/** Returns the id of the input of a field. */
export function idOf(name: string): string {
  return `field-${name}`;
}

/** A field with its meaning and its problems; a section with its fields. */
export function Field({ field, form }: FieldProps) {
  const { name, kind, children } = field;
  if (kind === 'section') {
    return (
      <fieldset id={idOf(name)} tabIndex={-1}>
        <legend>
          <FieldName field={field} />
        </legend>
        <Problems
          id={idOf(name)}
          problems={form.problems.filter((problem) => problem.field === name)}
        />
        {children.map((child) => (
          <Field key={child.name} field={child} form={form} />
        ))}
      </fieldset>
    );
  }
  const problems = problemsOf(form.problems, name);
  const { example } = field;
  const described = [example && 'example', problems.length > 0 && 'problems'].filter(Boolean);
  const labels = {
    id: idOf(name),
    'aria-describedby': described.map((what) => `${idOf(name)}-${what}`).join(' ') || undefined,
    'aria-invalid': problems.length > 0 ? true : undefined,
    'aria-required': field.isRequired ? true : undefined,
  };
  const input = <Input field={field} form={form} labels={labels} />;
  return (
    <div class="field">
      <label for={labels.id} class={kind === 'switch' ? 'switch' : undefined}>
        {kind === 'switch' && input}
        <span>
          <FieldName field={field} />
        </span>
      </label>
      {example !== undefined && (
        <p class="example" id={`${idOf(name)}-example`}>
          {say('Example: ', '例如：')}
          <code>{example}</code>
        </p>
      )}
      {kind !== 'switch' && input}
      <Problems id={idOf(name)} problems={problems} />
    </div>
  );
}

interface ProblemsProps {
  readonly id: string;
  readonly problems: readonly FormProblem[];
}

function Problems({ id, problems }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul class="problems" id={`${id}-problems`}>
      {problems.map(({ message, hint }) => (
        <li key={message}>
          {message}
          {hint && ` (${hint})`}
        </li>
      ))}
    </ul>
  );
}

/** The name of a field in site.yaml, and its meaning. */
export function FieldName({ field: { name, meaning } }: { readonly field: FormField }) {
  return (
    <>
      <code>{name}</code> <RichText text={meaning} />
    </>
  );
}

interface InputProps extends FieldProps {
  readonly labels: Readonly<Record<string, string | boolean | undefined>>;
}

function Input({ field, form, labels }: InputProps) {
  const { path, kind, standard, options } = field;
  const value = valueAt(form.values, path);
  const edit = (next: unknown) => form.onEdit(path, next);
  switch (kind) {
    case 'switch':
      return (
        <input
          {...labels}
          type="checkbox"
          checked={(value ?? standard) === true}
          onChange={({ currentTarget }) => edit(currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <select
          {...labels}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => edit(currentTarget.value || undefined)}
        >
          <option value="">{standardOption(standard)}</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      );
    case 'lines':
      return <Lines field={field} form={form} labels={labels} />;
    case 'yaml':
      return <Yaml field={field} form={form} labels={labels} />;
    default:
      return (
        <input
          {...labels}
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={String(value ?? '')}
          placeholder={standard === undefined ? '' : String(standard)}
          onInput={({ currentTarget }) => edit(typed(currentTarget.value, kind))}
        />
      );
  }
}

function standardOption(standard: unknown): string {
  return standard === undefined
    ? say('not set', '未设置')
    : say(`default: ${standard}`, `默认：${standard}`);
}

/** Returns the value of a text as YAML would read it; undefined if it is empty. */
function typed(text: string, kind: FormField['kind']): unknown {
  if (text === '') return undefined;
  return kind === 'number' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** A list of texts, one a line. The text stays as it was typed, with empty lines. */
function Lines({ field: { path, options, isRequired }, form, labels }: InputProps) {
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
function Yaml({ field: { path }, form, labels }: InputProps) {
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
