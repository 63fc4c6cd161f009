import { RichText } from '../rich-text.tsx';
import { say } from '../say.ts';
import { valueAt } from './edit-site.ts';
import type { FormField } from './fields.ts';
import { type FormProblem, problemsOf } from './judge-site.ts';
import { type FieldProps, type InputProps, Lines, Yaml } from './text-areas.tsx';

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
