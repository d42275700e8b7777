import type { ComponentChildren } from "preact";

export interface Column<T> {
  name: string;
  /** Hidden for the eye where the head would say nothing. */
  quiet?: boolean;
  cell: (row: T) => ComponentChildren;
  /** Numbers stand at the right. */
  number?: boolean;
}

/** A table that becomes a list of lines on a narrow screen; the first column leads. */
export function Table<T>({ columns, rows, keyOf, label }: { columns: Column<T>[]; rows: T[]; keyOf: (row: T) => string; label: string }) {
  return (
    <table class="table">
      <caption class="unseen">{label}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" class={column.number ? "number" : undefined}>
              {column.quiet ? <span class="unseen">{column.name}</span> : column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column, at) =>
              at === 0 ? (
                <th key={column.name} scope="row">
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.name} class={column.number ? "number" : undefined} data-name={column.quiet ? undefined : column.name}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
