import { formatKeyId } from '#contract/trust/keys.ts';
import type { PageFacts } from '../../facts.ts';
import { ErrorBox } from '../error-box.tsx';
import type { Outcome } from '../outcome.ts';
import type { VerifiedRelease } from '../release.ts';
import { say } from '../say.ts';
import { Step } from './step.tsx';

interface ReleaseStepProps {
  readonly facts: PageFacts | undefined;
  readonly outcome: Outcome<VerifiedRelease> | undefined;
  readonly onFiles: (files: Iterable<File>) => void;
}

/** The release: its files, verified, and the keys to compare. */
export function ReleaseStep({ facts, outcome, onFiles }: ReleaseStepProps) {
  return (
    <Step id="release" number={1} title={say('Release', '版本')}>
      {outcome?.value ? (
        <Verified release={outcome.value} keyPage={facts?.keyPage} />
      ) : (
        <p>{facts ? neededFiles(facts) : neededAnyFiles()}</p>
      )}
      {outcome?.error && <ErrorBox error={outcome.error} />}
      <label class="button">
        {say('Choose files', '选择文件')}
        <input
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            onFiles([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
      </label>
    </Step>
  );
}

function neededFiles({ product, version, architectures }: PageFacts): string {
  const names = architectures.map((arch) => `${product}-${version}-${arch}.release.json`);
  return say(
    `Choose ${names.join(' and ')}, each with its .sig file, or drop them onto this page.`,
    `选择 ${names.join('、')} 和各自的 .sig 文件，或把它们拖到这个页面上。`,
  );
}

function neededAnyFiles(): string {
  return say(
    'Choose the release.json of a release, its .sig file and release.pub, or drop them onto this page.',
    '选择版本的 release.json、它的 .sig 文件和 release.pub，或把它们拖到这个页面上。',
  );
}

interface VerifiedProps {
  readonly release: VerifiedRelease;
  readonly keyPage: string | undefined;
}

function Verified({ release: { releases, trusted, withdrawn }, keyPage }: VerifiedProps) {
  const [first] = releases;
  const architectures = releases.map(({ release }) => release.arch).join(', ');
  return (
    <>
      <p role="status">
        {say('Verified: ', '已验证：')}
        <strong>
          {first?.release.product} {first?.release.version}
        </strong>{' '}
        ({architectures})
      </p>
      {withdrawn !== undefined && (
        <div class="error" role="alert">
          <p>
            <strong>
              {say(
                'This release was withdrawn. Do not use it for a new server: ',
                '这个版本已被撤回，请不要用于新服务器：',
              )}
            </strong>
            {withdrawn}
          </p>
        </div>
      )}
      <dl>
        {trusted.release.map(({ id }) => (
          <Key key={id} label={say('release key', '发布公钥')} id={id} />
        ))}
        {trusted.recovery && (
          <Key label={say('recovery key', '恢复公钥')} id={trusted.recovery.id} />
        )}
      </dl>
      <p>
        {say(
          'A key from the same place as this page proves nothing: compare its groups with a second source of the project, such as ',
          '与这个页面来自同一处的公钥不能证明什么：请与项目在其他渠道公布的指纹核对，例如 ',
        )}
        {keyPage ? (
          <a href={keyPage} rel="noreferrer">
            {keyPage}
          </a>
        ) : (
          say('its website', '项目网站')
        )}
        {say('.', '。')}
      </p>
    </>
  );
}

function Key({ label, id }: { readonly label: string; readonly id: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <code>{formatKeyId(id)}</code>
      </dd>
    </>
  );
}
