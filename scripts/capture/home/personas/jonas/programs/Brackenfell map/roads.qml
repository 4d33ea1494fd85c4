<!DOCTYPE qgis PUBLIC "http://mrcc.com/qgis.dtd" "SYSTEM">
<qgis version="3.22" styleCategories="Symbology">
 <renderer-v2 type="singleSymbol"><symbols><symbol type="line" name="0" alpha="1"><layer class="SimpleLine" enabled="1" pass="0" locked="0"><prop k="line_color" v="120,120,125,255"/><prop k="line_width" v="1.1"/><prop k="capstyle" v="round"/><prop k="joinstyle" v="round"/><prop k="line_style" v="solid"/></layer></symbol></symbols></renderer-v2>
</qgis>
