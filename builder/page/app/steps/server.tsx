import { useState } from 'preact/hooks';
import type { Release } from '#contract/bundle/release.ts';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { PageFacts } from '../../facts.ts';
import { ErrorBox } from '../error-box.tsx';
import { editSite } from '../form/edit-site.ts';
import type { JudgedSite } from '../form/judge-site.ts';
import { MemoryChoice } from '../form/memory-choice.tsx';
import { type PresetName, presetNames, presets, presetText } from '../form/presets.ts';
import { focusField, SiteForm } from '../form/site-form.tsx';
import type { Choices } from '../result.ts';
import { saveFile } from '../save-file.ts';
import { say } from '../say.ts';
import { Step } from './step.tsx';

interface ServerStepProps {
  readonly facts: PageFacts | undefined;
  readonly choices: Choices;
  readonly judged: JudgedSite;
  readonly language: string;
  /** The verified release of the first step. */
  readonly release: Release | undefined;
  readonly onChange: (changes: Partial<Choices>) => void;
  readonly onFiles: (files: Iterable<File>) => void;
}

/** The settings of the server: a form, and the text that it writes. */
export function ServerStep(props: ServerStepProps) {
  const { facts, choices, judged, language, release, onChange, onFiles } = props;
  const [preset, setPreset] = useState<PresetName>();
  const begin = (name: PresetName) => {
    setPreset(name);
    onChange({ site: presetText(name, facts, language) });
  };
  const isBegun = choices.site.trim() !== '';
  const form = {
    ...judged,
    onEdit: (path: readonly string[], value: unknown) =>
      onChange({ site: editSite(choices.site, path, value) }),
  };
  return (
    <Step id="server" number={2} title={say('Server', '服务器')}>
      <fieldset class="presets">
        <legend>{say('Begin with', '从哪种情况开始')}</legend>
        {presetNames.map((name) => (
          <button
            type="button"
            key={name}
            aria-pressed={preset === name}
            onClick={() => begin(name)}
          >
            {inLanguage(presets[name].title)}
          </button>
        ))}
        <label class="button">
          {say('Load a site.yaml', '打开 site.yaml')}
          <input
            type="file"
            accept=".yaml,.yml"
            onChange={({ currentTarget }) => {
              onFiles([...(currentTarget.files ?? [])]);
              currentTarget.value = '';
            }}
          />
        </label>
      </fieldset>
      {isBegun && <ProblemList judged={judged} />}
      {isBegun && judged.values !== undefined && (
        <>
          <MemoryChoice
            {...{ memory: choices.memory, release, values: judged.values }}
            onChange={(memory) => onChange({ memory })}
          />
          <SiteForm form={form} preset={preset ?? 'address'} facts={facts} />
        </>
      )}
      {hasPassword(judged, choices) && (
        <label class="switch">
          <input
            id="allow-password"
            type="checkbox"
            checked={choices.allowsRoutePassword}
            onChange={({ currentTarget }) =>
              onChange({ allowsRoutePassword: currentTarget.checked })
            }
          />
          <span>
            {say(
              'The password of my proxy may be in this file. The provider, its backups and every process on the server can read it. I change it when the server is set up.',
              '允许这个文件含有代理的密码。云服务商、它的备份和服务器上的每个进程都能读到。服务器就绪后我会更换它。',
            )}
          </span>
        </label>
      )}
      <details id="site-text">
        <summary>{say('The same as text: site.yaml', '同样的内容：site.yaml')}</summary>
        <textarea
          id="site"
          aria-label="site.yaml"
          rows={14}
          spellcheck={false}
          autocomplete="off"
          value={choices.site}
          onInput={({ currentTarget }) => onChange({ site: currentTarget.value })}
        />
      </details>
      {isBegun && (
        <div class="row">
          <button type="button" onClick={() => goOn(judged)}>
            {say('Continue', '继续')}
          </button>
          <button type="button" onClick={() => saveFile('site.yaml', encodeUtf8(choices.site))}>
            {say('Save site.yaml', '保存 site.yaml')}
          </button>
        </div>
      )}
    </Step>
  );
}

/** The consent is asked when it is needed, and can be withdrawn. */
function hasPassword({ error, problems }: JudgedSite, { allowsRoutePassword }: Choices): boolean {
  const isRefused = error?.code === 'SITE_SECRET';
  return allowsRoutePassword || (isRefused && problems.some(({ field }) => field === 'route.url'));
}

/** Moves on, or to the first problem. */
function goOn({ site, problems }: JudgedSite): void {
  const [first] = problems;
  if (site === undefined && first) focusField(first.field);
  else document.getElementById('check-title')?.focus();
}

/** All problems at once, each with a way to its field. A screen reader hears how many there are. */
function ProblemList({ judged: { site, error, problems } }: { readonly judged: JudgedSite }) {
  const count = problems.length;
  return (
    <>
      <p role="status" class={site ? 'good' : 'wrong'}>
        {site
          ? say('All settings are valid.', '所有设置都有效。')
          : say(`${count || 1} to fill in or correct`, `还有 ${count || 1} 处要填写或修改`)}
      </p>
      {count > 0 && (
        <ul class="problem-list">
          {problems.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <button type="button" class="link" onClick={() => focusField(field)}>
                {message}
              </button>
            </li>
          ))}
        </ul>
      )}
      {error && count === 0 && <ErrorBox error={error} />}
    </>
  );
}
