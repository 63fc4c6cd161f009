import type { Row } from '../../deliver/explain/describe-contacts.ts';

/** Shows labels with values as a table. A label that repeats is shown once. */
export function Rows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <table>
      <tbody>
        {rows.map(([label, value], index) => {
          const isNew = label !== '' && label !== rows[index - 1]?.[0];
          return (
            <tr key={`${label} ${value}`}>
              {isNew ? <th scope="row">{label}</th> : <td />}
              <td>{value}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
