import type { PageFacts } from '../../facts.ts';
import { say } from '../say.ts';
import { Field, FieldName, idOf } from './field.tsx';
import { type FormField, fieldAt, sectionNames } from './fields.ts';
import { firstFields, type PresetName } from './presets.ts';
import { ProviderChoice } from './provider-choice.tsx';
import { SshKeyHelp } from './ssh-key-help.tsx';
import type { Form } from './text-areas.tsx';

interface SiteFormProps {
  readonly form: Form;
  readonly preset: PresetName;
  readonly facts: PageFacts | undefined;
}

/** Every field of the site: those of the preset first, all others by section. */
export function SiteForm({ form, preset, facts }: SiteFormProps) {
  const first = firstFields(preset, facts);
  const isFirst = ({ name }: FormField) => first.some((path) => path.join('.') === name);
  return (
    <>
      {first.map((path) => (
        <div key={path.join('.')}>
          <Field field={fieldAt(path, form.values)} form={form} />
          <Beside name={path.join('.')} form={form} />
        </div>
      ))}
      <details>
        <summary>{say('All other settings', '所有其他设置')}</summary>
        {sectionNames.map((name) => {
          const section = fieldAt([name], form.values);
          const left = { ...section, children: section.children.filter((each) => !isFirst(each)) };
          if (isFirst(section) || (section.kind === 'section' && left.children.length === 0)) {
            return null;
          }
          return (
            <details key={name}>
              <summary>
                <FieldName field={section} />
              </summary>
              <Field field={left} form={form} />
              <Beside name={name} form={form} />
            </details>
          );
        })}
      </details>
    </>
  );
}

/** Help and choices beside some fields. */
function Beside({ name, form }: { readonly name: string; readonly form: Form }) {
  if (name === 'admin.ssh_keys') return <SshKeyHelp />;
  return name === 'providers' ? <ProviderChoice form={form} /> : null;
}

/** Moves the focus to the input of a field, or of the nearest field above it, and opens what hides it. */
export function focusField(name: string): void {
  const found = [name, name.replace(/\[.*$/, ''), ...above(name)]
    .map((each) => document.getElementById(idOf(each)))
    .find((element) => element !== null);
  for (let element = found?.parentElement; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true;
  }
  found?.focus();
}

function above(name: string): string[] {
  const parts = name.replace(/\[.*$/, '').split('.');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
}
