import '../../apps/web/src/theme/styles.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { DateField } from '../../apps/web/src/blocks/form/date-field.tsx';
import { useEndpointForm } from '../../apps/web/src/blocks/form/endpoint-form.ts';
import { TextField } from '../../apps/web/src/blocks/form/fields.tsx';
import { FormDialog } from '../../apps/web/src/blocks/form/form-dialog.tsx';
import { NumberField } from '../../apps/web/src/blocks/form/number-field.tsx';
import { RecordField, RecordsField } from '../../apps/web/src/blocks/form/record-field.tsx';
import { RowGroup } from '../../apps/web/src/blocks/form/row-group.tsx';
import { TimeField } from '../../apps/web/src/blocks/form/time-field.tsx';
import { type DayRange, RangeEntry } from '../../apps/web/src/blocks/widgets/range-entry.tsx';
import { queryClient } from '../../apps/web/src/client/queries.ts';
import { startLanguage } from '../../apps/web/src/language/i18n.ts';
import { choices, save } from './calls.ts';

const source = { endpoint: choices, search: 'Search', none: 'None' };

function Range(): ReactNode {
  const [range, setRange] = useState<DayRange>();
  return (
    <>
      <span id="range">Range</span>
      <RangeEntry labelledBy="range" value={range} today="2026-11-23" max="2026-11-23" onChange={setRange} />
      <output>{range ? `${range.from} ${range.to}` : 'none'}</output>
    </>
  );
}

/** All that is entered in widgets, in a dialog, as most forms are. */
function Page(): ReactNode {
  const form = useEndpointForm(save, {
    initialValues: { day: '', time: '', powerW: '', record: '', records: [], strings: [] },
    draft: false,
  });
  return (
    <main>
      <h1>Blocks</h1>
      <FormDialog form={form} opened onClose={() => undefined} title="All of them" submitLabel="Save" wide>
        <DateField form={form} name="day" label="Day" min="2020-01-01" max="2030-12-31" />
        <TimeField form={form} name="time" label="Time" />
        <NumberField form={form} name="powerW" label="Power" unit="W" />
        <RecordField form={form} name="record" label="Record" source={source} />
        <RecordsField form={form} name="records" label="Records" source={source} />
        <Range />
        <RowGroup
          form={form}
          name="strings"
          rowName="String"
          addLabel="Add a string"
          most={4}
          make={() => ({ title: '', powerW: '' })}
        >
          {(row) => (
            <>
              <TextField form={form} name={`${row.path}.title`} label="Title" />
              <NumberField form={form} name={`${row.path}.powerW`} label="Peak" unit="W" />
            </>
          )}
        </RowGroup>
      </FormDialog>
    </main>
  );
}

await startLanguage('workspace');
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  );
