<!DOCTYPE qgis PUBLIC "http://mrcc.com/qgis.dtd" "SYSTEM">
<qgis version="3.22" styleCategories="Symbology">
 <renderer-v2 type="singleSymbol"><symbols><symbol type="fill" name="0" alpha="1"><layer class="SimpleFill" enabled="1" pass="0" locked="0"><prop k="color" v="191,219,168,255"/><prop k="outline_color" v="120,160,100,255"/><prop k="outline_width" v="0.26"/><prop k="style" v="solid"/><prop k="outline_style" v="solid"/></layer></symbol></symbols></renderer-v2>
</qgis>
