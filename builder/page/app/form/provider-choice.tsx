import { providerTable } from '#contract/known-providers.ts';
import { say } from '../say.ts';
import { valueAt } from './edit-site.ts';
import type { Form } from './text-areas.tsx';

/** Switches for the known model providers. Others are written in YAML. */
export function ProviderChoice({ form }: { readonly form: Form }) {
  return (
    <fieldset>
      <legend>{say('Known model providers', '已知的模型服务商')}</legend>
      {Object.entries(providerTable).map(([name, { title, baseUrl, api }]) => (
        <label key={name} class="switch">
          <input
            type="checkbox"
            checked={valueAt(form.values, ['providers', name]) !== undefined}
            onChange={({ currentTarget }) => {
              const entry = { base_url: baseUrl, ...(api ? { api } : {}) };
              form.onEdit(['providers', name], currentTarget.checked ? entry : undefined);
            }}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
}
