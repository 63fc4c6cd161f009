import type { LandfallError } from '#contract/errors.ts';
import { chineseErrorOf, hintsOf } from '#contract/text/chinese-errors.ts';
import { currentLanguage } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { translated } from '#contract/text/translated.ts';

/** Shows an error with its code, as the command line does; in Chinese the meaning of the code comes first. */
export function ErrorBox({ error }: { readonly error: LandfallError }) {
  const { code, message, problems } = error;
  const [meaning] = (currentLanguage() === 'zh' && chineseErrorOf(code)) || [];
  const { advice, hint } = hintsOf(error);
  return (
    <div class="error" role="alert">
      <p>
        <code>{code}</code> {meaning ?? message}
      </p>
      {meaning && <p>{translated(message)}</p>}
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={formatProblem(problem)}>{formatProblem(problem)}</li>
          ))}
        </ul>
      )}
      {advice && <p>{advice}</p>}
      {hint && <p>{hint}</p>}
    </div>
  );
}
