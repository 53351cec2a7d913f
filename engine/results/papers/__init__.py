"""The tables and figures of the papers, filled from our own log in the papers' layout, beside the published rows.

    table = fill_table("multimodal/table-4", sources)      # `filling.fill_table`
    table.as_json(), table.as_csv()

`entries` declares them: one entry per table or figure that reports results. `cells` computes one number with its
interval, `layouts` the blocks of columns and rows, `sides` the tables of games with sides, `needs` what is missing.
`drawing` draws a filled table. Nothing here reads a file: results and published rows are passed in.
"""
