import type { Release } from '#contract/bundle/release.ts';
import { modelsText, serverMemories } from '../../../deliver/explain/describe-models.ts';
import { say } from '../say.ts';
import { valueAt } from './edit-site.ts';

interface MemoryChoiceProps {
  /** Of the server, in GB. */
  readonly memory: number | undefined;
  readonly release: Release | undefined;
  /** The values of the site as they were read. */
  readonly values: unknown;
  readonly onChange: (memory: number | undefined) => void;
}

/** The memory of the server, and the models that it gets. The choice is no part of the site. */
export function MemoryChoice({ memory, release, values, onChange }: MemoryChoiceProps) {
  const named = valueAt(values, ['models']);
  const models = Array.isArray(named) ? named.map(String) : undefined;
  return (
    <div class="field">
      <label for="memory">{say('Memory of the server that you rent', '租用的服务器的内存')}</label>
      <select
        id="memory"
        value={memory ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === '' ? undefined : Number(value))
        }
      >
        <option value="">{say('not decided', '还没有决定')}</option>
        {serverMemories.map((each) => (
          <option key={each} value={each}>
            {each} GB
          </option>
        ))}
      </select>
      {memory !== undefined && release && (
        <p role="status" class="example">
          {say('It gets: ', '会安装：')}
          {modelsText(release, { models }, memory)}
        </p>
      )}
    </div>
  );
}
